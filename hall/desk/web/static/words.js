// The words that scripts write, in the page's language: a page that is not in English carries them by their English ones.

const element = document.getElementById("words");
const words = element === null ? {} : JSON.parse(element.textContent);

export const language = document.documentElement.lang;

// `values` fill the braces.
export function say(english, values = {}) {
  return (words[english] ?? english).replace(/\{(\w+)\}/g, (_, name) => values[name]);
}
