// The public stream for board and overlay: one connection for all pages of a browser, and its tiles by table.

import { falling, reading, restart, standing, write } from "/static/clock.js";
import { connect } from "/static/feed.js";
import { said, say } from "/static/words.js";

// On the board a long name gets smaller type: two lines, or three where its words do not fit into two.
const LONG = 14;
const TWO_LINES = /^.{1,17}[ -].{1,19}$/;

export const tiles = new Map();
export let overlays = {};
export let round = null; // the one that is played; 0: none
export let standings = null; // grows with each change of them
export let timer = null; // the hall's, as countdown.js takes it

// Calls `show` with the names of the tiles that have changed, or null for all.
export function spectate(show) {
  connect((message) => {
    if (message.type === "state") {
      document.body.classList.toggle("old", message.name === "lost");
      return;
    }
    if (message.overlays) overlays = message.overlays;
    if (message.round !== undefined) round = message.round;
    if (message.standings !== undefined) standings = message.standings;
    if (message.timer !== undefined) timer = message.timer;
    if (message.type === "snapshot") tiles.clear();
    for (const data of message.tiles ?? []) tiles.set(data.id, data);
    show(message.type === "snapshot" || message.overlays ? null : (message.tiles ?? []).map((data) => data.id));
    if (message.type === "snapshot") restart();
  }, "public/stream");
}

// Write a tile, or an empty table, into an element's parts.
export function fill(element, data) {
  const one = (name) => element.querySelector(name);
  write(one(".table-number"), data ? String(data.table ?? "") : "");
  // Who is stale shows the last that was heard: the word says so, not only the colour.
  write(one(".doing"), !data ? "" : data.stale === null ? said(data.doing) : say("no connection"));
  element.classList.toggle("stale", Boolean(data && data.stale !== null));
  for (const side of element.querySelectorAll(".side")) fillSide(side, data);
}

function fillSide(element, data) {
  const account = data?.sides?.[element.dataset.side];
  const runs = data?.runs === element.dataset.side;
  const shown = element.querySelector(".reading");
  element.classList.toggle("counts", runs);
  const player = element.querySelector(".player");
  const name = account?.name || (account ? say(element.dataset.side) : "");
  write(player, name);
  player.dataset.lines = name.length <= LONG ? 1 : TWO_LINES.test(name) ? 2 : 3;
  if (!account) standing(shown, "");
  else if (!runs) standing(shown, reading(account.left));
  else if (data.at === null) standing(shown, "?");
  else falling(shown, account.left, data.at, data.about ? "~" : "");
}
