// The standings: fetched again when the public stream says that a result or the event has changed.

import { spectate, standings } from "/static/spectate.js";

const part = document.getElementById("part");
let shown;
let loading = false;

spectate((names) => {
  if (names === null || standings !== shown) load();
});

async function load() {
  if (loading) return;
  loading = true;
  const wanted = standings;
  try {
    const answer = await fetch("/standings/part");
    if (answer.ok) part.replaceChildren(...new DOMParser().parseFromString(await answer.text(), "text/html").body.childNodes);
    shown = wanted;
  } catch {
    // The next event tries again.
  }
  loading = false;
  if (shown === wanted && shown !== standings) load();
}
