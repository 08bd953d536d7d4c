// Chooses all clocks that take something now.

import "/static/acting.js";

const all = document.getElementById("all");
if (all !== null) {
  all.hidden = false;
  all.addEventListener("click", () => {
    for (const each of document.querySelectorAll("[name=clock]:not(:disabled)")) each.checked = true;
  });
}
