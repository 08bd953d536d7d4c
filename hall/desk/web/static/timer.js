import { showTimer } from "/static/countdown.js";
import { follow } from "/static/stream.js";

const root = document.getElementById("timer");
follow((message) => {
  if (message.timer !== undefined) showTimer(root, message.timer);
});
