import { live } from "/static/part.js";

// A clock that was asked to stop stands once its tile says so.
live((message) => message.orders || message.tiles !== undefined);
