// Elements whose content is text, whatever it holds: nothing here, or anywhere in these scripts, reads HTML.

// Controls, and marks that turn the direction of all that follows.
const UNSEEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufffe\uffff]/g;

const byId = (id) => document.getElementById(id);

/** Text as it may be shown. */
const plain = (value) => String(value).replace(UNSEEN, "\ufffd");

/** An element; children are elements or texts, and those that are null are left out. An attribute that is true has no
 *  value, one that is null or false is left out. */
function element(name, attributes, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes ?? {})) {
    if (value !== null && value !== undefined && value !== false) made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.filter((child) => child !== null).map((child) => child instanceof Node ? child : plain(child)));
  return made;
}

/** A text of others, whose direction of writing ends where it ends; a link where it is an address of https. */
function foreign(value) {
  const text = plain(value);
  const url = /^https:\/\/\S+$/i.test(text) && URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol !== "https:" || url.username || url.password) return element("bdi", null, text);
  return element("a", {href: url.href, target: "_blank", rel: "noopener noreferrer"}, element("bdi", null, text));
}

/** A sentence in which `names` stand as code. */
const withCode = (sentence) => sentence.split("`").map((part, place) => place % 2 ? element("code", null, part) : plain(part));

function button(words, onClick, attributes) {
  const made = element("button", {type: "button", ...attributes}, words);
  made.addEventListener("click", onClick);
  return made;
}

/** Show these elements in place of what was there. */
const fill = (place, ...children) => place.replaceChildren(...children.filter((child) => child !== null));

const count = (number, one, many = `${one}s`) => `${number.toLocaleString("en")} ${number === 1 ? one : many}`;

const seconds = (number) => `${number < 10 ? number.toFixed(number < 1 ? 2 : 1) : Math.round(number)} s`;

/** Words that can be followed in a wide table or a narrow one. */
const scrolled = (label, table) => element("div", {class: "scroll", role: "region", tabindex: "0", "aria-label": label}, table);
