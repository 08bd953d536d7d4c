// An overlay for a broadcast: the table of its slot, wherever the director puts it. Its address never changes.

import { tiles, fill, overlays, spectate } from "/static/spectate.js";

const overlay = document.getElementById("overlay");
const { slot } = overlay.dataset;

spectate(() => {
  const table = overlays[slot] ?? (/^[0-9]{1,3}$/.test(slot) ? Number(slot) : null);
  const data = [...tiles.values()].find((each) => table !== null && each.table === table);
  overlay.hidden = data === undefined;
  fill(overlay, data);
});
