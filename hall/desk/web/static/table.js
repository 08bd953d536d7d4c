import { live } from "/static/part.js";
import { fill, tileOf } from "/static/tile.js";

const tile = tileOf(document.querySelector(".tile"));
const { id } = document.getElementById("part").dataset;
const own = (message) => message.tiles?.find((data) => data.id === id);

live(own, (message) => {
  const data = own(message);
  if (data !== undefined) fill(tile, data);
});
