// The public stream for board and overlay: one connection for all pages of a browser, and its cards by table.

import { falling, reading, restart, standing, write } from "/static/clock.js";
import { Feed } from "/static/feed.js";
import { forget, learn } from "/static/time.js";

// On the board a long name gets smaller type: two lines, or three where its words do not fit into two.
const LONG = 14;
const TWO_LINES = /^.{1,17}[ -].{1,19}$/;

export const cards = new Map();
export let overlays = {};
export let round = null; // the one that is played; 0: none
let run = "";

// Calls `show` with the names of the cards that have changed, or null for all.
export function spectate(show) {
  const deliver = (message) => {
    if (message.type === "state") {
      document.body.classList.toggle("old", message.name === "lost");
      return;
    }
    if (message.run && message.run !== run) {
      run = message.run;
      forget();
    }
    if (message.now) learn(message.now);
    if (message.overlays) overlays = message.overlays;
    if (message.round !== undefined) round = message.round;
    if (message.type === "snapshot") cards.clear();
    for (const card of message.cards ?? []) cards.set(card.id, card);
    show(message.type === "snapshot" || message.overlays ? null : (message.cards ?? []).map((card) => card.id));
    if (message.type === "snapshot") restart();
  };
  if (typeof SharedWorker === "undefined") {
    new Feed(deliver, "/public/stream");
    return;
  }
  const worker = new SharedWorker("/static/worker.js?public", { type: "module", name: "tileclock-public" });
  worker.port.onmessage = ({ data }) => deliver(data);
  worker.port.start();
  addEventListener("pagehide", () => worker.port.postMessage("end"));
  addEventListener("pageshow", ({ persisted }) => persisted && location.reload());
}

// Write a card, or an empty table, into an element's parts.
export function fill(element, card) {
  const one = (name) => element.querySelector(name);
  write(one(".table-number"), card ? String(card.table ?? "") : "");
  // Who is stale shows the last that was heard: the word says so, not only the colour.
  write(one(".doing"), !card ? "" : card.stale === null ? card.doing : "no connection");
  element.classList.toggle("stale", Boolean(card && card.stale !== null));
  for (const side of element.querySelectorAll(".side")) fillSide(side, card);
}

function fillSide(element, card) {
  const account = card?.sides?.[element.dataset.side];
  const runs = card?.runs === element.dataset.side;
  const shown = element.querySelector(".reading");
  element.classList.toggle("counts", runs);
  const player = element.querySelector(".player");
  const name = account?.name || (account ? element.dataset.side : "");
  write(player, name);
  player.dataset.lines = name.length <= LONG ? 1 : TWO_LINES.test(name) ? 2 : 3;
  if (!account) standing(shown, "");
  else if (!runs) standing(shown, reading(account.left));
  else if (card.at === null) standing(shown, "?");
  else falling(shown, account.left, card.at, card.about ? "~" : "");
}
