// A part of a page that the desk renders: fetched again when the stream says that it is old, at most every two seconds.

import { lasting, until } from "/static/clock.js";
import { follow } from "/static/stream.js";

const EVERY_MS = 2000;
const part = document.getElementById("part");
let fetched = performance.now();
let waiting = null;

// What counts inside the part: data-since and data-until, in µs of the desk.
function count() {
  for (const each of part.querySelectorAll("[data-since]")) lasting(each, Number(each.dataset.since));
  for (const each of part.querySelectorAll("[data-until]")) until(each, Number(each.dataset.until));
}

async function load() {
  waiting = null;
  fetched = performance.now();
  const answer = await fetch(part.dataset.from, { headers: { accept: "text/html" } });
  if (!answer.ok || answer.redirected) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  const focused = document.activeElement?.id;
  const open = new Set([...part.querySelectorAll("details[open]")].map((each) => each.id));
  part.replaceChildren(...fresh.body.childNodes);
  for (const each of part.querySelectorAll("details")) each.open ||= open.has(each.id);
  if (focused) part.querySelector(`#${CSS.escape(focused)}`)?.focus();
  count();
}

function old() {
  if (waiting === null) waiting = setTimeout(load, Math.max(0, fetched + EVERY_MS - performance.now()));
}

// Calls `concerns` with each message; where it returns true, the part is fetched again.
export function live(concerns, take = () => {}) {
  follow((message) => {
    if (message.type === "snapshot") count();
    take(message);
    if (message.type === "delta" && concerns(message)) old();
  });
}
