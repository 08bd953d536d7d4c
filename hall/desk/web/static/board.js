// The public board: every table with its remaining times, in the order of the tables.

import { cards, fill, spectate } from "/static/spectate.js";

const board = document.getElementById("board");
const template = document.getElementById("table").content.firstElementChild;
const elements = new Map();

spectate((names) => {
  if (names === null) {
    for (const [name, element] of elements) {
      if (cards.has(name)) continue;
      element.remove();
      elements.delete(name);
    }
  }
  for (const name of names ?? cards.keys()) place(cards.get(name));
  document.getElementById("empty").hidden = elements.size > 0;
});

function place(card) {
  let element = elements.get(card.id);
  if (element === undefined) {
    element = template.cloneNode(true);
    elements.set(card.id, element);
  }
  const number = String(card.table ?? 1000).padStart(4, "0") + card.id;
  if (element.dataset.order !== number) {
    element.dataset.order = number;
    const next = [...board.children].find((each) => each !== element && each.dataset.order > number);
    board.insertBefore(element, next ?? null);
  }
  fill(element, card);
}
