// What the desk says, for one page: the shared stream, the sign of the connection, and what is wrong in the hall.

import { lasting, local, restart, standing } from "/static/clock.js";
import { connect } from "/static/feed.js";
import { said, say } from "/static/words.js";

// On a phone the navigation is wider than the screen. Not with `scrollIntoView`: Tab would go on from there.
const current = document.querySelector("nav [aria-current]");
if (current !== null) {
  const list = current.closest("ul");
  list.scrollLeft = current.offsetLeft - list.offsetLeft;
}
const link = document.getElementById("link");
const troubles = document.getElementById("troubles");
const calling = document.getElementById("calling");
local(document);

function show({ name, since }) {
  link.dataset.state = name;
  if (name === "live") standing(link, say("live"));
  else if (name === "waiting") standing(link, say("connecting"));
  else {
    link.replaceChildren(say("No connection to the desk for "), document.createElement("span"), say(". What you see is old."));
    if (since !== null) lasting(link.lastElementChild, since);
  }
  document.body.classList.toggle("old", name === "lost");
}

// The lines at the top, as templates/base.html has them.
function warn(warnings) {
  const lines = warnings.map(({ text, since, links }) => {
    const line = document.createElement("p");
    line.append(said(text));
    if (since) {
      const time = Object.assign(document.createElement("time"), { dateTime: since, title: since });
      time.dataset.clock = "";
      const words = Object.assign(document.createElement("span"), { className: "since" });
      words.append(`${say("Since")} `, time, ".");
      line.append(" ", words);
    }
    for (const [path, word] of links) line.append(" ", Object.assign(document.createElement("a"), { href: path, textContent: said(word) }));
    local(line);
    return line;
  });
  const texts = (all) => [...all].map((each) => each.textContent.trim()).join("\n");
  if (texts(troubles.children) === texts(lines)) return;
  const focused = troubles.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
  troubles.replaceChildren(...lines);
  if (focused !== null) troubles.querySelector(`[href="${CSS.escape(focused)}"]`)?.focus();
}

// Calls `take` with each message: {type: "snapshot" or "delta", tiles, stations, devices, ...}.
export function follow(take) {
  connect((message) => {
    if (message.type === "state") {
      show(message);
      return;
    }
    if (message.troubles) warn(message.troubles);
    if (message.calling !== undefined && calling !== null) {
      standing(calling, String(message.calling));
      calling.hidden = message.calling === 0;
    }
    take(message);
    if (message.type === "snapshot") restart();
  }, "stream");
}
