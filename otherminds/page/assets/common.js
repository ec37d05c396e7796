// What the whole page uses. Text from models or files reaches it through textContent alone.
"use strict";

const CUT = 20000; // characters of a long text that are shown at first
const CACHED = 24; // unpacked blocks kept
const COLLATOR = new Intl.Collator("en", { numeric: true });
// The same rule as `visible` in text.py.
const INVISIBLE =
  /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\p{Cs}]/gu;

const visible = (text) =>
  text.replace(INVISIBLE, (one) => {
    const code = one.codePointAt(0).toString(16).toUpperCase().padStart(4, "0");
    return `⟨U+${code}⟩`;
  });

// A text with its middle cut out: long names differ at their ends.
function middle(text, limit) {
  if (text.length <= limit) return text;
  const end = Math.floor(((limit - 1) * 2) / 5);
  return `${text.slice(0, limit - 1 - end)}…${text.slice(-end)}`;
}

function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children); // a string becomes a text node
  return element;
}

function section(title, content) {
  return make("section", {}, make("h4", {}, title), content);
}

// A text of any length: its beginning, and a button for the rest.
function long(text) {
  if (text === "") return make("p", { class: "hint" }, "(empty)");
  const shown = make("pre", { dir: "auto" }, visible(text.slice(0, CUT)));
  if (text.length <= CUT) return shown;
  const length = text.length.toLocaleString("en");
  const button = make("button", { type: "button" }, `Show all ${length} characters`);
  button.addEventListener("click", () => {
    shown.textContent = visible(text);
    button.remove();
  });
  return make("div", {}, shown, button);
}

// ---------------------------------------------------------------- tables that are all there

function sortable(table) {
  const body = table.tBodies[0];
  const headings = [...table.tHead.rows[0].cells];
  headings.forEach((heading, column) => {
    heading.querySelector("button").addEventListener("click", () => {
      const down = heading.getAttribute("aria-sort") === "ascending";
      headings.forEach((other) => other.removeAttribute("aria-sort"));
      heading.setAttribute("aria-sort", down ? "descending" : "ascending");
      const numeric = heading.classList.contains("number");
      const key = (row) => row.cells[column].dataset.key;
      const compare = (a, b) => {
        if (key(a) === undefined || key(b) === undefined) {
          return (key(a) === undefined) - (key(b) === undefined); // no value: always last
        }
        const order = numeric ? key(a) - key(b) : COLLATOR.compare(key(a), key(b));
        return down ? -order : order;
      };
      body.append(...[...body.rows].sort(compare));
    });
  });
}

document.querySelectorAll("table.sortable").forEach(sortable);

// ---------------------------------------------------------------- data inside the page

// The long texts stand after this script, so that the first rows need not wait for them.
const parsed = new Promise((resolve) => {
  if (document.readyState !== "loading") resolve();
  else document.addEventListener("DOMContentLoaded", resolve, { once: true });
});

async function unpack(id) {
  if (!document.getElementById(id)) await parsed;
  const text = atob(document.getElementById(id).textContent);
  const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).json();
}

class Store {
  constructor(name, starts) {
    this.name = name;
    this.starts = starts;
    this.cache = new Map();
  }

  async at(position) {
    let number = this.starts.length - 1;
    while (this.starts[number] > position) number -= 1;
    if (!this.cache.has(number)) {
      if (this.cache.size >= CACHED) this.cache.delete(this.cache.keys().next().value);
      this.cache.set(number, unpack(`${this.name}-${number}`));
    }
    return (await this.cache.get(number))[position - this.starts[number]];
  }

  async *all() {
    for (let number = 0; number < this.starts.length; number += 1) {
      yield* await unpack(`${this.name}-${number}`);
    }
  }
}
