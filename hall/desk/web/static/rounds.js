import { live } from "/static/part.js";

live((message) => message.tiles !== undefined || message.round);
