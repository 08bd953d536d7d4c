import "/static/choose.js";
import { live } from "/static/part.js";

live((message) => message.devices || message.tiles !== undefined);
