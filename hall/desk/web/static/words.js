// The words that scripts write, in the page's language: a page that is not in English carries them by their English ones.

const element = document.getElementById("words");
const words = element === null ? {} : JSON.parse(element.textContent);

export const language = document.documentElement.lang;

// `values` fill the braces; phrases of the desk among them are said too.
export function say(english, values = {}) {
  return (words[english] ?? english).replace(/\{(\w+)\}/g, (brace, name) => (name in values ? said(values[name]) : brace));
}

// What the desk sends: a phrase is its English template and values, all else is data, such as a name.
export const said = (sent) => (Array.isArray(sent) ? say(...sent) : sent);
