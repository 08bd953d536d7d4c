// A page that acts: buttons to hold, and the sign of the connection.

import "/static/hold.js";
import { follow } from "/static/stream.js";

follow(() => {});
