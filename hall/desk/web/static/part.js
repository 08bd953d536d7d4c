// A part of a page that the desk renders: fetched again when the stream says that it is old, at most as often as the part allows (data-every).

import { lasting, local, until } from "/static/clock.js";
import { follow } from "/static/stream.js";

const EVERY_MS = 2000;
const part = document.getElementById("part");
// What counts by itself is no change.
const still = (text) => text.replace(/(data-(?:since|until)="[^"]*">)[^<]*/g, "$1").replace(/(<time [^>]*>)[^<]*/g, "$1");
let fetched = performance.now();
let waiting = null;
let shown = still(part.innerHTML).trim();

// What counts inside the part: data-since and data-until, in µs of the desk.
function count() {
  for (const each of part.querySelectorAll("[data-since]")) lasting(each, Number(each.dataset.since));
  for (const each of part.querySelectorAll("[data-until]")) until(each, Number(each.dataset.until));
}

async function load() {
  waiting = null;
  fetched = performance.now();
  try {
    const answer = await fetch(part.dataset.from, { headers: { accept: "text/html" } });
    // The session has ended.
    if (answer.redirected) location.reload();
    else if (answer.ok) show(await answer.text());
  } catch {
    // The sign of the connection says so; the snapshot of the next connection makes this part old.
  }
}

// Finds a control in the fresh part again: Tab goes on from where it was.
function selector(control) {
  if (!part.contains(control)) return null;
  if (control.id) return `#${CSS.escape(control.id)}`;
  return control.hasAttribute("href") ? `[href="${CSS.escape(control.getAttribute("href"))}"]` : null;
}

function show(text) {
  const fresh = new DOMParser().parseFromString(text, "text/html");
  const next = still(fresh.body.innerHTML).trim();
  if (next === shown) return;
  shown = next;
  const focused = selector(document.activeElement);
  const open = new Set([...part.querySelectorAll("details[open]")].map((each) => each.id));
  part.replaceChildren(...fresh.body.childNodes);
  local(part);
  for (const each of part.querySelectorAll("details")) each.open ||= open.has(each.id);
  if (focused) part.querySelector(focused)?.focus();
  count();
}

function old() {
  const every = Number(part.querySelector("[data-every]")?.dataset.every ?? EVERY_MS);
  if (waiting === null) waiting = setTimeout(load, Math.max(0, fetched + every - performance.now()));
}

// Calls `concerns` with each message; where it returns true, the part is fetched again.
export function live(concerns, take = () => {}) {
  follow((message) => {
    if (message.type === "snapshot") count();
    take(message);
    // What came between the page and its place in the stream is in no delta.
    if (message.type === "snapshot" || (message.type === "delta" && concerns(message))) old();
  });
}

// The keys of the messages that make the part old (data-on); a part without them has a script of its own.
const needs = (message) => message.tiles?.some((data) => data.needs.length);
const keys = part.dataset.on?.split(" ");
if (keys) live((message) => keys.some((key) => (key === "needs" ? needs(message) : message[key])));
