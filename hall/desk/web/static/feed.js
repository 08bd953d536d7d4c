// One connection to the desk's stream, and everything that it has brought so far. Used in a shared worker, or in a page where there is none.

import { deskNow, forget, learn } from "/static/time.js";

const SILENCE_MS = 25000;
const AGAIN_MS = 2000;

export class Feed {
  constructor(deliver, path) {
    this.path = path;
    this.deliver = deliver;
    this.tiles = new Map();
    this.whole = null;
    this.run = "";
    this.state = { name: "waiting", since: null };
    this.heard = 0;
    this.open();
    setInterval(() => this.look(), 5000);
  }

  open() {
    this.source?.close();
    const source = new EventSource(this.path);
    this.source = source;
    source.addEventListener("snapshot", (event) => this.take(event, true));
    source.addEventListener("delta", (event) => this.take(event, false));
    source.addEventListener("now", (event) => this.take(event, false));
    source.onerror = () => this.lost(source);
  }

  take(event, whole) {
    const content = JSON.parse(event.data);
    this.heard = performance.now();
    if (content.run && content.run !== this.run) {
      this.run = content.run;
      forget();
    }
    if (content.now !== undefined) learn(content.now);
    if (whole) {
      this.tiles = new Map();
      this.whole = { hall: content.hall, troubles: content.troubles, calling: content.calling, overlays: content.overlays, round: content.round, timer: content.timer };
    }
    if (content.troubles && this.whole) this.whole.troubles = content.troubles;
    if (content.calling !== undefined && this.whole) this.whole.calling = content.calling;
    if (content.round !== undefined && this.whole) this.whole.round = content.round;
    if (content.overlays && this.whole) this.whole.overlays = content.overlays;
    if (content.timer !== undefined && this.whole) this.whole.timer = content.timer;
    for (const data of content.tiles ?? []) this.tiles.set(data.id, data);
    this.say("live");
    this.deliver({ type: whole ? "snapshot" : "delta", ...content });
  }

  say(name) {
    if (this.state.name === name) return;
    this.state = { name, since: name === "lost" ? deskNow() : null };
    this.deliver({ type: "state", ...this.state });
  }

  lost(source) {
    this.say("lost");
    // A browser tries again by itself unless the desk has answered with an error.
    if (source.readyState === EventSource.CLOSED && source === this.source) setTimeout(() => this.open(), AGAIN_MS);
  }

  look() {
    if (this.state.name === "live" && performance.now() - this.heard > SILENCE_MS) {
      this.say("lost");
      this.open();
    }
  }

  // Everything so far, for a page that comes later.
  snapshot() {
    if (this.whole === null) return null;
    return { type: "snapshot", now: deskNow(), run: this.run, ...this.whole, tiles: [...this.tiles.values()] };
  }
}

// Gives a page each message of a stream, whose instants it then knows: of the one connection of all pages, or of its own where a browser has no shared worker.
export function connect(deliver, name) {
  let run = "";
  const take = (message) => {
    if (message.run && message.run !== run) {
      run = message.run;
      forget();
    }
    if (message.now) learn(message.now);
    deliver(message);
  };
  if (typeof SharedWorker === "undefined") {
    new Feed(take, `/${name}`);
    return;
  }
  const worker = new SharedWorker(`/static/worker.js?${name}`, { type: "module", name });
  worker.port.onmessage = ({ data }) => take(data);
  worker.port.start();
  addEventListener("pagehide", () => worker.port.postMessage("end"));
  // A page that comes back from the browser's memory has lost its place in the stream.
  addEventListener("pageshow", ({ persisted }) => persisted && location.reload());
}
