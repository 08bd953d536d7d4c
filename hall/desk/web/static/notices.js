// Says before it is sent what an order will do, and where it goes.

import "/static/acting.js";
import { say } from "/static/words.js";

const form = document.getElementById("order");
const summary = document.getElementById("summary");
const SPAN = /^(\d{1,3})(?:\s*-\s*(\d{1,3}))?$/;

function tables() {
  const found = new Set();
  for (const span of form.tables.value.split(",").map((each) => each.trim()).filter(Boolean)) {
    const match = SPAN.exec(span);
    if (match === null) continue;
    for (let table = Number(match[1]); table <= Number(match[2] ?? match[1]); table++) found.add(String(table));
  }
  return found;
}

// The ticks that stand for a typed table: they go when it goes.
const typed = new Set();

function tick(wanted) {
  for (const each of form.querySelectorAll("[name=clock]")) {
    if (wanted.has(each.dataset.table) && !each.checked) {
      each.checked = true;
      typed.add(each);
    } else if (typed.has(each) && !wanted.has(each.dataset.table)) {
      each.checked = false;
      typed.delete(each);
    }
  }
}

function chosen() {
  const all = form.to.value === "all";
  return [...form.querySelectorAll("[name=clock]")].filter((each) => all || each.checked);
}

// Says which typed tables have no clock; a row of tables as 21-99.
function missing(wanted) {
  if (form.to.value === "all") return "";
  const known = new Set([...form.querySelectorAll("[name=clock]")].map((each) => each.dataset.table));
  const spans = [];
  for (const table of [...wanted].filter((each) => !known.has(each)).map(Number).sort((a, b) => a - b)) {
    if (spans.at(-1)?.at(-1) === table - 1) spans.at(-1)[1] = table;
    else spans.push([table]);
  }
  const tables = spans.map((span) => span.join("-")).join(", ");
  if (!tables) return "";
  return spans.flat().length === 1 ? say("No clock at table {tables}.", { tables }) : say("No clock at tables {tables}.", { tables });
}

function said() {
  const to = chosen();
  const unheard = to.filter((each) => "unheard" in each.dataset).length;
  const hard = to.filter((each) => "hard" in each.dataset && !("unheard" in each.dataset)).length;
  const rest = to.length - unheard - hard;
  const parts = [];
  if (form.do.value === "stop") {
    if (hard) parts.push(hard === 1 ? say("1 clock will stop at once") : say("{count} clocks will stop at once", { count: hard }));
    if (rest) parts.push(rest === 1 ? say("1 clock will ask the players to stop") : say("{count} clocks will ask the players to stop", { count: rest }));
  } else {
    const count = hard + rest;
    if (form.do.value === "clear") parts.push(count === 1 ? say("1 clock will clear notice and freeze") : say("{count} clocks will clear notice and freeze", { count }));
    else parts.push(count === 1 ? say("1 clock will show the line") : say("{count} clocks will show the line", { count }));
  }
  if (unheard) parts.push(unheard === 1 ? say("1 clock cannot be reached") : say("{count} clocks cannot be reached", { count: unheard }));
  return `${parts.join(", ")}.`;
}

// What an order lacks: nothing is sent without it.
function lacking(what) {
  const isNotice = what === "notice";
  return {
    what: what ? "" : say("Choose what to send."),
    text: isNotice && !form.text.value.trim() ? say("Write what the players read.") : "",
    seconds: isNotice && !form.seconds.validity.valid ? say("A notice needs a duration of 5 to 600 seconds.") : "",
    clocks: chosen().length ? "" : say("Choose at least one clock."),
  };
}

function show() {
  const what = form.do.value;
  form.querySelector(".wording").hidden = what === "clear";
  form.querySelector(".lasting").hidden = what !== "notice";
  for (const each of form.querySelectorAll(".hard")) each.hidden = what !== "stop";
  form.seconds.disabled = what !== "notice";
  for (const each of form.querySelectorAll(".whom p, .whom details")) each.hidden = form.to.value === "all";
  const wanted = tables();
  tick(wanted);
  const unknown = missing(wanted);
  form.text.placeholder = what === "stop" ? form.text.dataset.stop : "";
  const lacks = lacking(what);
  for (const each of form.do) each.setCustomValidity(lacks.what);
  form.text.setCustomValidity(lacks.text);
  form.tables.setCustomValidity(unknown || lacks.clocks);
  const missed = Object.values(lacks).filter(Boolean);
  const text = [...(missed.length ? missed : [said()]), unknown].filter(Boolean).join(" ");
  if (summary.textContent !== text) summary.textContent = text;
  summary.classList.remove("problem");
}

if (form !== null) {
  form.addEventListener("input", show);
  // A browser's own message beside a field goes when the mouse presses the button; this line stays.
  form.addEventListener("invalid", () => summary.classList.add("problem"), true);
  // Enter in a field is no second's hold.
  form.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && event.target.tagName === "INPUT") event.preventDefault();
  });
  show();
}
