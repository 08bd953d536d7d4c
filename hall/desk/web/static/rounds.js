// The round: its part is fetched again when the stream says so; and whoever types a slip reads whose scores come next.

import "/static/part.js";

const slip = document.getElementById("slip");
const titles = [...(slip?.querySelectorAll("[data-name]") ?? [])].map((each) => [each, each.textContent]);

function name() {
  const row = document.querySelector(`[data-table="${CSS.escape(slip.elements.table.value.trim() || "none")}"]`);
  const names = [row?.dataset.first, row?.dataset.second];
  for (const [place, [element, otherwise]] of titles.entries()) element.textContent = names[place] ?? otherwise;
}

if (slip) {
  slip.elements.table.addEventListener("input", name);
  name();
}
