// One stream for all pages of a browser: over HTTP/1.1 a browser opens at most six connections to one place.

import { Feed } from "/static/feed.js";

const ports = new Set();
const feed = new Feed((message) => {
  for (const port of ports) port.postMessage(message);
}, self.location.search.replace("?", "/"));

self.addEventListener("connect", ({ ports: [port] }) => {
  port.onmessage = ({ data }) => {
    if (data === "end") ports.delete(port);
  };
  ports.add(port);
  port.start();
  port.postMessage({ type: "state", ...feed.state });
  const snapshot = feed.snapshot();
  if (snapshot !== null) port.postMessage(snapshot);
});
