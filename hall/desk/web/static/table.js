import { live } from "/static/part.js";
import { fill, tileOf } from "/static/tile.js";

const tile = tileOf(document.querySelector(".tile"));
const { id } = document.getElementById("part").dataset;
const own = (message) => message.cards?.find((card) => card.id === id);

live(own, (message) => {
  const card = own(message);
  if (card !== undefined) fill(tile, card);
});
