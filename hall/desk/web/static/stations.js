import { live } from "/static/part.js";

live((message) => message.stations || message.tiles?.some((data) => data.phase === "adjudication" || data.needs.length));
