// One table as a tile: writes a tile into its elements, and touches only what differs.

import { falling, lasting, reading, standing, write } from "/static/clock.js";
import { said, say } from "/static/words.js";

export function tileOf(element) {
  const one = (name) => element.querySelector(name);
  return {
    element,
    data: null,
    anchor: one("a"),
    calls: one(".to-calls"),
    number: one(".table-number"),
    why: one(".why"),
    age: one(".age"),
    doing: one(".doing"),
    more: one(".more"),
    sides: [...element.querySelectorAll(".side")].map((side) => ({
      side,
      name: side.dataset.side,
      player: side.querySelector(".player"),
      reading: side.querySelector(".reading"),
      penalty: side.querySelector(".penalty"),
    })),
  };
}

export function fill(tile, data) {
  const first = data.needs[0];
  const { element } = tile;
  const path = `/table/${data.table ?? data.id}`;
  if (tile.anchor.getAttribute("href") !== path) tile.anchor.setAttribute("href", path);
  set(element, "id", data.id);
  set(element, "need", first?.kind);
  if (tile.calls.hidden !== (first?.kind !== "call")) tile.calls.hidden = first?.kind !== "call";
  write(tile.number, String(data.table ?? data.name));
  write(tile.why, said(first?.words ?? ""));
  if (first === undefined || first.since === null) standing(tile.age, "");
  else lasting(tile.age, first.since);
  write(tile.doing, said(data.doing));
  write(tile.more, data.needs.slice(1).map((need) => said(need.words)).join(" · "));
  for (const side of tile.sides) fillSide(side, data);
  tile.data = data;
}

function fillSide(side, data) {
  const account = data.sides?.[side.name];
  const runs = data.runs === side.name;
  side.side.classList.toggle("runs", runs);
  side.side.classList.toggle("below", account !== undefined && account.left < 0 && !runs);
  write(side.player, account ? account.name || say(side.name) : "");
  write(side.penalty, account?.penalty ? `−${account.penalty}` : "");
  if (account === undefined) standing(side.reading, "");
  else if (!runs) standing(side.reading, reading(account.left));
  else if (data.at === null) standing(side.reading, "?");
  else falling(side.reading, account.left, data.at, data.about || data.stale !== null ? "~" : "");
}

function set(element, name, value) {
  if (value === undefined) delete element.dataset[name];
  else if (element.dataset[name] !== value) element.dataset[name] = value;
}
