import { live } from "/static/part.js";

live((message) => message.calls);
