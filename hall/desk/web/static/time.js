// The desk's clock as this browser knows it. Only differences of performance.now() count: a browser's wall clock may be anything.

const DRIFT = 1e-4;
let offset = null;
let learnt = 0;

const own = () => performance.now() * 1000;

// An instant of the desk (µs) has just arrived. It was late by an unknown time, so the largest difference is the truest.
export function learn(now) {
  const at = own();
  const found = now - at;
  if (offset !== null) offset -= (at - learnt) * DRIFT;
  learnt = at;
  if (offset === null || found > offset) offset = found;
}

// Another desk, or the same one after a restart of its machine: what was known means nothing.
export function forget() {
  offset = null;
}

// Now, in µs of the desk; null before its first word.
export const deskNow = () => (offset === null ? null : own() + offset);
