// A part of a page that the desk renders, asked for again as often as it says itself (data-every, in ms).

import { lasting } from "/static/clock.js";
import { follow } from "/static/stream.js";

const part = document.getElementById("part");
// What counts by itself is no change.
const still = (text) => text.replace(/(data-since="[^"]*">)[^<]*/g, "$1").replace(/name="token" value="[^"]*"/g, "");
let shown = null;

function count() {
  for (const each of part.querySelectorAll("[data-since]")) lasting(each, Number(each.dataset.since));
}

function again() {
  setTimeout(load, Number(part.querySelector("[data-every]")?.dataset.every ?? 2000));
}

async function load() {
  try {
    const answer = await fetch(part.dataset.from, { headers: { accept: "text/html" } });
    if (answer.redirected) {
      location.reload();
      return;
    }
    const text = answer.ok ? await answer.text() : shown;
    if (text !== null && (shown === null || still(text) !== still(shown))) {
      shown = text;
      const fresh = new DOMParser().parseFromString(text, "text/html");
      const focused = document.activeElement?.id;
      part.replaceChildren(...fresh.body.childNodes);
      if (focused) part.querySelector(`#${CSS.escape(focused)}`)?.focus();
      count();
    }
  } catch {
    // The sign of the connection says so; the next round may find the desk again.
  }
  again();
}

follow((message) => message.type === "snapshot" && count());
again();
