// One table as a tile: writes a card into its elements, and touches only what differs.

import { falling, lasting, reading, standing, write } from "/static/clock.js";

const cut = (text) => text ?? "";

export function tileOf(element) {
  const one = (name) => element.querySelector(name);
  return {
    element,
    card: null,
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

export function fill(tile, card) {
  const first = card.needs[0];
  const { element } = tile;
  const path = `/table/${card.table ?? card.id}`;
  if (tile.anchor.getAttribute("href") !== path) tile.anchor.setAttribute("href", path);
  set(element, "id", card.id);
  set(element, "need", first?.kind);
  if (tile.calls.hidden !== (first?.kind !== "call")) tile.calls.hidden = first?.kind !== "call";
  write(tile.number, String(card.table ?? card.name));
  write(tile.why, cut(first?.words));
  if (first === undefined || first.since === null) standing(tile.age, "");
  else lasting(tile.age, first.since);
  write(tile.doing, card.doing);
  write(tile.more, card.needs.slice(1).map((need) => need.words).join(" · "));
  for (const side of tile.sides) fillSide(side, card);
  tile.card = card;
}

function fillSide(side, card) {
  const account = card.sides?.[side.name];
  const runs = card.runs === side.name;
  side.side.classList.toggle("runs", runs);
  side.side.classList.toggle("below", account !== undefined && account.left < 0 && !runs);
  write(side.player, account ? account.name || side.name : "");
  write(side.penalty, account?.penalty ? `−${account.penalty}` : "");
  if (account === undefined) standing(side.reading, "");
  else if (!runs) standing(side.reading, reading(account.left));
  else if (card.at === null) standing(side.reading, "?");
  else falling(side.reading, account.left, card.at, card.about || card.stale !== null ? "~" : "");
}

function set(element, name, value) {
  if (value === undefined) delete element.dataset[name];
  else if (element.dataset[name] !== value) element.dataset[name] = value;
}
