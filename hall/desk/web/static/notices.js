// Says before it is sent what an order will do, and where it goes.

import "/static/acting.js";

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

function chosen() {
  const all = form.to.value === "all";
  const wanted = tables();
  return [...form.querySelectorAll("[name=clock]")].filter((each) => all || each.checked || wanted.has(each.dataset.table));
}

function clocks(count) {
  return `${count} ${count === 1 ? "clock" : "clocks"}`;
}

function said() {
  const to = chosen();
  const unheard = to.filter((each) => "unheard" in each.dataset).length;
  const hard = to.filter((each) => "hard" in each.dataset && !("unheard" in each.dataset)).length;
  const rest = to.length - unheard - hard;
  if (to.length === 0) return "No clock is chosen.";
  const parts = [];
  if (form.do.value === "stop") {
    if (hard) parts.push(`${clocks(hard)} will stop at once`);
    if (rest) parts.push(`${clocks(rest)} will ask the players to stop`);
  } else if (form.do.value === "clear") parts.push(`${clocks(hard + rest)} will clear notice and freeze`);
  else parts.push(`${clocks(hard + rest)} will show the line`);
  if (unheard) parts.push(`${clocks(unheard)} cannot be reached`);
  return `${parts.join(", ")}.`;
}

function show() {
  const what = form.do.value;
  form.querySelector(".wording").hidden = what === "clear";
  form.querySelector(".lasting").hidden = what !== "notice";
  form.text.required = what !== "clear";
  form.seconds.disabled = what !== "notice";
  for (const each of form.querySelectorAll(".whom p, .whom details")) each.hidden = form.to.value === "all";
  const text = said();
  if (summary.textContent !== text) summary.textContent = text;
}

if (form !== null) {
  form.addEventListener("input", show);
  // Enter in a field is no second's hold.
  form.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && event.target.tagName === "INPUT") event.preventDefault();
  });
  show();
}
