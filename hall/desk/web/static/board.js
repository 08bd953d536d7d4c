// The public board: every table with its remaining times, in the order of the tables, all on one screen where they can be read there.

import { showTimer } from "/static/countdown.js";
import { tiles, fill, round, spectate, timer } from "/static/spectate.js";
import { say } from "/static/words.js";

const TILE = { width: 21.6, height: 7.7 }; // a tile with its gap, in em
const LEAST = 0.75; // of the usual size; smaller tiles are too small to read, so the page scrolls
const board = document.getElementById("board");
const template = document.getElementById("table").content.firstElementChild;
const heading = document.getElementById("round");
const elements = new Map();
let timed;

spectate((names) => {
  const before = elements.size;
  if (names === null) {
    for (const [name, element] of elements) {
      if (tiles.has(name)) continue;
      element.remove();
      elements.delete(name);
    }
  }
  for (const name of names ?? tiles.keys()) place(tiles.get(name));
  document.getElementById("empty").hidden = elements.size > 0;
  if (round !== null) heading.textContent = round ? ` · ${say("Round")} ${round}` : "";
  if (timed !== timer) showTimer(document.getElementById("timer"), (timed = timer));
  if (elements.size !== before) fit();
});
addEventListener("resize", fit);

function place(data) {
  let element = elements.get(data.id);
  if (element === undefined) {
    element = template.cloneNode(true);
    elements.set(data.id, element);
  }
  const number = String(data.table ?? 1000).padStart(4, "0") + data.id;
  if (element.dataset.order !== number) {
    element.dataset.order = number;
    const next = [...board.children].find((each) => each !== element && each.dataset.order > number);
    board.insertBefore(element, next ?? null);
  }
  fill(element, data);
}

// As many columns as make the tiles largest.
function fit() {
  const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
  const height = innerHeight - (board.getBoundingClientRect().top + scrollY) - rem;
  let best = { scale: 0 };
  for (let columns = 1; columns <= elements.size; columns += 1) {
    const rows = Math.ceil(elements.size / columns);
    const scale = Math.min(board.clientWidth / columns / TILE.width, height / rows / TILE.height) / rem;
    if (scale > best.scale) best = { scale, columns };
  }
  board.classList.toggle("fitted", best.scale >= LEAST);
  board.style.setProperty("--scale", best.scale);
  board.style.setProperty("--columns", best.columns ?? 1);
  board.style.setProperty("--height", `${height}px`);
}
