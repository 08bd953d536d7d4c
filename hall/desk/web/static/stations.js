import { live } from "/static/part.js";

live((message) => message.stations || message.cards?.some((card) => card.phase === "adjudication" || card.needs.length));
