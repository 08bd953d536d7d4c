// A page that acts: buttons to hold, the sign of the connection, and instants in the browser's time zone.

import "/static/hold.js";
import { follow } from "/static/stream.js";

for (const each of document.querySelectorAll("time[datetime]")) {
  each.title = each.textContent;
  // Swedish dates are ISO dates.
  each.textContent = new Date(each.dateTime).toLocaleString("sv-SE");
}
follow(() => {});
