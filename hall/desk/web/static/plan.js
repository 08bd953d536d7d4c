// The floor plan: each table where it stands, with its need.

import { said } from "/static/words.js";

const view = document.getElementById("view");
const shown = { plan: document.getElementById("plan-part"), lists: ["needs-part", "others-part"].map((id) => document.getElementById(id)) };

// Returns what writes tiles into the plan.
export function planOf() {
  const seats = new Map();
  for (const element of document.querySelectorAll(".seat")) {
    // Places are shares of width and height; a policy without inline styles still lets scripts set them.
    element.style.left = `${4 + Number(element.dataset.x) * 92}%`;
    element.style.top = `${5 + Number(element.dataset.y) * 90}%`;
    seats.set(Number(element.dataset.table), element);
  }
  view.addEventListener("click", () => choose(view.getAttribute("aria-pressed") !== "true"));
  return (tiles) => {
    for (const data of tiles) {
      const seat = seats.get(data.table);
      if (seat !== undefined) mark(seat, data);
    }
  };
}

function mark(seat, data) {
  const first = data.needs[0];
  const why = seat.querySelector(".why");
  if (first === undefined) delete seat.dataset.need;
  else seat.dataset.need = first.kind;
  why.textContent = said(first?.words ?? "");
  seat.dataset.phase = data.phase;
}

function choose(plan) {
  view.setAttribute("aria-pressed", String(plan));
  shown.plan.hidden = !plan;
  for (const part of shown.lists) part.classList.toggle("beside-plan", plan);
}
