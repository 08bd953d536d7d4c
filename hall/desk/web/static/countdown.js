// The hall's timer on a page: computed from the instants that the clocks have too. Its words say what its colour says.

import { count, reading, standing, write } from "/static/clock.js";
import { say } from "/static/words.js";

const S = 1e6;
const STANDS = 300 * S; // how long the end is shown, as on the clocks

export function showTimer(root, timer) {
  const digits = root.querySelector(".reading");
  root.hidden = timer === null;
  if (timer === null) {
    standing(digits, "");
    return;
  }
  const { begins, seconds, warnings, label } = timer;
  const ends = begins + seconds * S;
  write(root.querySelector(".label"), label);
  count(digits, (now) => {
    const left = Math.min(seconds, Math.max(0, Math.ceil((ends - now) / S)));
    const warned = Math.min(...[...warnings, 0].filter((each) => now >= ends - each * S));
    root.dataset.state = warned === 0 ? "over" : warned < Infinity ? "warned" : "";
    write(root.querySelector(".words"), warned === 0 ? say("TIME") : warned < Infinity ? say("Last {seconds} seconds", { seconds: warned }) : "");
    root.hidden = now >= ends + STANDS;
    const due = now < begins ? begins : left > 0 ? ends - (left - 1) * S : root.hidden ? Infinity : ends + STANDS;
    return [reading(left * 1e9), due];
  });
}
