// Whatever counts on a page: one loop writes what is visible, and touches a text only when its digits change.

import { deskNow } from "/static/time.js";
import { language } from "/static/words.js";

const S = 1e9;
const locale = language === "en" ? "sv-SE" : language;
const LEAST_MS = 100; // a thousand clocks change their digits at a thousand instants: ten pictures a second, not sixty
const LOOK_MS = 200; // how often Chromium looks at what is visible; otherwise it does with each picture
const counting = new Map(); // element -> {text(now), due}
const visible = new Set();
let timer = null;

// The reading of a remaining time in ns, as every clock of the hall shows it: whole seconds, rounded up.
export function reading(ns) {
  const shown = Math.abs(Math.ceil(ns / S));
  return `${ns < 0 ? "-" : ""}${Math.floor(shown / 60)}:${String(shown % 60).padStart(2, "0")}`;
}

// How long something lasts, from whole seconds.
export function age(seconds) {
  if (seconds < 3600) return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  return `${Math.floor(seconds / 3600)} h ${String(Math.floor((seconds % 3600) / 60)).padStart(2, "0")} min`;
}

// Write a text only if it differs: an equal one would still cost a layout.
export function write(element, text) {
  const node = element.firstChild;
  if (node === null) element.append(text);
  else if (node.data !== text) node.data = text;
}

// A remaining time in ns that falls from `at` (µs of the desk) on.
export function falling(element, left, at, about) {
  count(element, (now) => {
    const gone = Math.max(0, now - at) * 1000;
    const ns = left - gone;
    const until = gone === 0 && now < at ? at + 1000 : now + Math.max(1, (ns - (Math.ceil(ns / S) - 1) * S) / 1000);
    return [about + reading(ns), until];
  });
}

// A time to an instant (µs of the desk): before it with the sign of what is left, after it how long ago.
export function lasting(element, since) {
  count(element, (now) => {
    const seconds = Math.max(0, Math.floor((now - since) / 1e6));
    return [age(seconds), since + (seconds + 1) * 1e6];
  });
}

// A countdown to an instant (µs of the desk).
export function until(element, instant) {
  count(element, (now) => {
    const seconds = Math.max(0, Math.ceil((instant - now) / 1e6));
    return [age(seconds), seconds === 0 ? Infinity : instant - (seconds - 1) * 1e6];
  });
}

// Wall times, in the browser's time zone and the page's language. Swedish dates are ISO dates, which English pages have.
export function local(root) {
  for (const each of root.querySelectorAll("time[datetime]")) {
    const at = new Date(each.dateTime);
    write(each, "clock" in each.dataset ? at.toLocaleTimeString(locale) : at.toLocaleString(locale));
  }
}

// A text that stands.
export function standing(element, text) {
  if (counting.delete(element)) {
    visible.delete(element);
    observer.unobserve(element);
  }
  write(element, text);
}

// A text that `next` makes of an instant (µs of the desk), with the instant at which it changes.
export function count(element, next) {
  const known = counting.get(element);
  if (known === undefined) observer.observe(element);
  const entry = { next, due: 0 };
  counting.set(element, entry);
  const now = deskNow();
  if (now === null) return;
  // Also what is out of sight is right when something changes; from then on only what is visible counts.
  step(element, entry, now);
  if (visible.has(element)) schedule(entry.due, now);
}

const observer = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    const entry = counting.get(target);
    if (isIntersecting && entry !== undefined) {
      visible.add(target);
      entry.due = 0;
    } else visible.delete(target);
  }
  restart();
}, { rootMargin: "100px", delay: LOOK_MS });

function step(element, entry, now) {
  const [text, due] = entry.next(now);
  write(element, text);
  entry.due = due;
}

function pass() {
  timer = null;
  const now = deskNow();
  let due = Infinity;
  if (now !== null) {
    for (const element of visible) {
      const entry = counting.get(element);
      if (entry === undefined) continue;
      if (entry.due <= now) step(element, entry, now);
      if (entry.due < due) due = entry.due;
    }
    schedule(due, now);
  }
}

let dueAt = Infinity;

function schedule(due, now) {
  if (due === Infinity || (timer !== null && dueAt <= due)) return;
  clearTimeout(timer);
  dueAt = due;
  timer = setTimeout(() => {
    dueAt = Infinity;
    // No frames come to a page that is hidden: it computes again from the instants once it is shown.
    requestAnimationFrame(pass);
  }, Math.max(LEAST_MS, (due - now) / 1000));
}

export function restart() {
  const now = deskNow();
  if (now !== null) {
    dueAt = Infinity;
    clearTimeout(timer);
    timer = null;
    schedule(now, now);
  }
}

document.addEventListener("visibilitychange", restart);
