// The hall's page: tables by need, filters, floor plan.

import { planOf } from "/static/plan.js";
import { follow } from "/static/stream.js";
import { fill, tileOf } from "/static/tile.js";
import { say } from "/static/words.js";

const tiles = new Map();
const [needs, others, summary, filters] = ["needs", "others", "summary", "filters"].map((id) => document.getElementById(id));
const counts = new Map([...document.querySelectorAll("[data-count]")].map((each) => [each.dataset.count, each]));
const template = document.getElementById("tile").content.firstElementChild;
const LAST = 99;
const plan = planOf();

for (const element of document.querySelectorAll(".tile")) tiles.set(element.dataset.id, tileOf(element));

// The order of the desk (hall/desk/desk.py): the most urgent need, since when, the table.
function key(data) {
  const first = data.needs[0];
  return [first?.rank ?? LAST, first?.since ?? 0, data.table ?? 1000, data.id];
}

function before(one, two) {
  for (let place = 0; place < one.length; place += 1) if (one[place] !== two[place]) return one[place] < two[place];
  return false;
}

// Into their places, all in one walk along each list.
function put(moved) {
  const free = moved.filter((tile) => !held(tile));
  const moving = new Set(free.map((tile) => tile.element));
  for (const list of [needs, others]) {
    let next = list.firstElementChild;
    for (const { element, key } of free.filter((tile) => listOf(tile) === list).sort(compare)) {
      while (next !== null && (moving.has(next) || before(tiles.get(next.dataset.id).key, key))) next = next.nextElementSibling;
      if (next !== element.nextElementSibling || element.parentElement !== list) list.insertBefore(element, next);
    }
  }
}

const listOf = (tile) => (tile.data.needs.length ? needs : others);
const compare = (one, two) => (before(one.key, two.key) ? -1 : 1);

// A tile under the keyboard stays where it is until the director moves on.
function held(tile) {
  const { element } = tile;
  if (element.parentElement === null || !element.contains(document.activeElement)) return false;
  element.addEventListener("focusout", () => put([tile]), { once: true });
  return true;
}

function take(message) {
  const moved = [];
  if (message.type === "snapshot") drop(new Set(message.tiles.map((data) => data.id)));
  for (const data of message.tiles ?? []) {
    let tile = tiles.get(data.id);
    if (tile === undefined) {
      tile = tileOf(template.cloneNode(true));
      tiles.set(data.id, tile);
    }
    fill(tile, data);
    const fresh = key(data);
    if (tile.key === undefined || fresh.join() !== tile.key.join() || tile.element.parentElement === null) moved.push(tile);
    tile.key = fresh;
  }
  if (message.type === "snapshot") arrange();
  else put(moved);
  if (message.tiles?.length) {
    plan(message.tiles);
    tally();
    filter(message.tiles.map((data) => tiles.get(data.id)));
  }
}

function drop(known) {
  for (const [id, tile] of tiles) {
    if (!known.has(id)) {
      tile.element.remove();
      tiles.delete(id);
    }
  }
}

// All at once, for a snapshot: only lists whose order differs are touched.
function arrange() {
  const sorted = [...tiles.values()].sort(compare);
  for (const list of [needs, others]) {
    const elements = sorted.filter((tile) => listOf(tile) === list).map((tile) => tile.element);
    const same = elements.length === list.children.length && elements.every((each, place) => each === list.children[place]);
    if (!same) list.replaceChildren(...elements);
  }
}

function tally() {
  const found = new Map([...counts.keys()].map((kind) => [kind, 0]));
  for (const { data } of tiles.values()) {
    if (data === null) continue;
    for (const need of data.needs) found.set(need.kind, found.get(need.kind) + 1);
  }
  for (const [kind, element] of counts) {
    const text = String(found.get(kind));
    if (element.textContent !== text) element.textContent = text;
    element.parentElement.classList.toggle("none", found.get(kind) === 0);
  }
  document.getElementById("empty")?.remove();
  const calls = found.get("call");
  document.title = `${calls ? `(${calls}) ` : ""}${say("Hall")}`;
}

function chosen() {
  const form = new FormData(filters);
  const words = form.get("find").trim().toLowerCase();
  return { words, kinds: new Set(form.getAll("need")), division: form.get("division") ?? "" };
}

function fits({ data }, { words, kinds, division }) {
  if (kinds.size && !data.needs.some((need) => kinds.has(need.kind))) return false;
  if (division && data.division !== division) return false;
  if (!words) return true;
  if (/^[0-9]+$/.test(words)) return String(data.table ?? "") === words;
  return [data.name, data.sides?.left.name ?? "", data.sides?.right.name ?? ""].some((text) => text.toLowerCase().includes(words));
}

function filter(some = [...tiles.values()]) {
  const wanted = chosen();
  for (const tile of some) {
    if (tile.data === null) continue;
    const hidden = !fits(tile, wanted);
    if (tile.element.hidden !== hidden) tile.element.hidden = hidden;
  }
  // No heading above nothing.
  for (const list of [needs, others]) list.parentElement.hidden = list.querySelector(".tile:not([hidden])") === null;
  let seen = 0;
  for (const { element } of tiles.values()) seen += !element.hidden;
  const all = tiles.size === 1 ? say("1 table") : say("{count} tables", { count: tiles.size });
  const text = seen === tiles.size ? all : say("{seen} of {all}", { seen, all });
  if (summary.textContent !== text) summary.textContent = text;
}

filters.addEventListener("input", () => {
  filter();
  const wanted = chosen();
  const query = new URLSearchParams();
  if (wanted.words) query.set("find", wanted.words);
  if (wanted.division) query.set("division", wanted.division);
  for (const kind of wanted.kinds) query.append("need", kind);
  history.replaceState(null, "", query.size ? `?${query}` : location.pathname);
});
filters.addEventListener("submit", (event) => {
  event.preventDefault();
  document.querySelector(".tile:not([hidden]) a")?.focus();
});

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "/" && document.activeElement !== filters.find) {
    event.preventDefault();
    filters.find.focus();
    filters.find.select();
  } else if (event.key === "Escape" && document.activeElement === filters.find) {
    filters.reset();
    filters.dispatchEvent(new Event("input"));
  } else if (["ArrowDown", "ArrowUp", "ArrowLeft", "ArrowRight"].includes(event.key) && document.activeElement.closest(".tile")) {
    event.preventDefault();
    step(event.key === "ArrowDown" || event.key === "ArrowRight" ? 1 : -1);
  }
});

function step(by) {
  const links = [...document.querySelectorAll(".tile:not([hidden]) a:first-child")];
  links[links.indexOf(document.activeElement) + by]?.focus();
}

// The choice stands in the address, so that a page can be kept or sent.
const query = new URLSearchParams(location.search);
filters.find.value = query.get("find") ?? "";
if (filters.division) filters.division.value = query.get("division") ?? "";
for (const box of filters.querySelectorAll("[name=need]")) box.checked = query.getAll("need").includes(box.value);

follow(take);
