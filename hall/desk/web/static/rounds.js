import { live } from "/static/part.js";

live((message) => message.cards !== undefined || message.round);
