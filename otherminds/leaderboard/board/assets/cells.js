// The small pieces that tables and model pages are made of.

const LEVELS = {
  "re-run": "The operators ran the model themselves and found the same scores.",
  "re-scored": "The scores were computed again from the submitted answers.",
  "self-reported": "The scores are as claimed; nobody could compute them again.",
  published: "As others published it; not a submission, and not ranked.",
};

const UNAFFILIATED = "The submitter is not seen to belong to the account or organisation of the name.";

const bdi = (text) => make("bdi", {}, text);
const small = (text) => make("small", {}, text);

function cell(tag, key, ...children) {
  const made = make(tag, {}, ...children);
  if (key !== null && key !== undefined) made.dataset.key = key;
  if (typeof key === "string") made.classList.add("word");
  if (tag === "th") made.setAttribute("scope", "row");
  return made;
}

function badge(text, title, warn) {
  return make("span", { class: warn ? "badge warn" : "badge", title }, text);
}

// Of a board on released data: what its scores can be made from.
function openGolds() {
  return badge("open golds", "Released data: whoever has them can make right answers from their golds.");
}

// A mark on a bar, between the ends of an axis; what lies outside stands at the end.
function mark(kind, axis, from, to) {
  const share = (value) =>
    Math.min(100, Math.max(0, (100 * (value - axis[0])) / (axis[1] - axis[0])));
  const span = make("span", { class: kind });
  span.style.left = `${share(from)}%`;
  if (to !== undefined) span.style.width = `${share(to) - share(from)}%`;
  return span;
}

// A value with its interval, between chance and people. The numbers beside it say the same.
function bar(triple, axis, anchors = [], column = 0) {
  const drawn = make("span", { class: "bar", "aria-hidden": "true" });
  for (const anchor of anchors) {
    const value = anchor.values[column];
    if (!value) continue;
    if (anchor.kind === "human") {
      if (value[1] !== null) drawn.append(mark("people", axis, value[1], value[2]));
      drawn.append(mark("human", axis, value[0]));
    } else if (anchor.kind === "chance") drawn.append(mark("chance", axis, value[0]));
  }
  if (triple) {
    if (triple[1] !== null) drawn.append(mark("range", axis, triple[1], triple[2]));
    drawn.append(mark("dot", axis, triple[0]));
  }
  return drawn;
}

// What the marks on bars mean: on those of one column, or (null) of any.
function legend(board, column = 0) {
  const known = (anchor) =>
    (column === null ? anchor.values : [anchor.values[column]]).filter(Boolean);
  const has = (kind) => board.anchors.some((one) => one.kind === kind && known(one).length);
  const ranged = board.anchors.some(
    (one) => one.kind === "human" && known(one).some((value) => value[1] !== null));
  const item = (kinds, text) => {
    const swatch = make("span", { class: "swatch", "aria-hidden": "true" });
    for (const kind of kinds) swatch.append(make("span", { class: kind }));
    if (kinds[0] === "people") {
      swatch.firstChild.style.left = "0";
      swatch.firstChild.style.right = "0";
    }
    return make("li", {}, swatch, text);
  };
  const list = make("ul", { class: "legend", "aria-label": "What the bars show" },
    item(["range", "dot"], "value, and its 95% interval over people"));
  if (has("chance")) list.append(item(["chance"], "chance"));
  if (has("human")) {
    list.append(ranged ? item(["people", "human"], "people, with their interval")
      : item(["human"], "people"));
  }
  return list;
}

function facts(pairs) {
  const list = make("dl", { class: "facts" });
  for (const [name, value] of pairs) {
    list.append(make("div", {}, make("dt", {}, name), make("dd", {}, bdi(value))));
  }
  return list;
}

function heading(title, note, { numeric = true, name = false } = {}) {
  const arrow = make("span", { class: "arrow", "aria-hidden": "true" });
  const made = make("th", { scope: "col" }, make("button", { type: "button" }, title, arrow));
  if (note) made.append(small(note));
  if (numeric) made.classList.add("number");
  if (name) made.classList.add("name");
  return made;
}

function table(caption, headings, rows, foot = []) {
  const made = make("table", { class: "sortable board" },
    make("caption", { class: "unseen" }, caption),
    make("thead", {}, make("tr", {}, ...headings)),
    make("tbody", {}, ...rows));
  if (foot.length) made.append(make("tfoot", {}, ...foot));
  sortable(made);
  return made;
}

// On a narrow page a table is wider than its box, and a line above says so.
function scrolling(label, inner) {
  return make("div", {},
    make("p", { class: "hint sideways" }, "The table scrolls sideways."),
    make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": label }, inner));
}

function field(label, control) {
  return make("label", {}, label, control);
}

function check(label, name, checked) {
  const box = make("input", { type: "checkbox", name });
  box.checked = checked;
  return make("label", { class: "check" }, box, label);
}

function options(control, choices) {
  for (const [value, text] of choices) control.append(make("option", { value }, text));
  return control;
}

function modelLink(model) {
  // A name may be broken behind its owner's.
  const pieces = model.name.split("/").flatMap((one, index) => (index ? [make("wbr"), one] : [one]));
  const name = make("bdi", {}, ...pieces.map((one, index) =>
    (typeof one === "string" && index < pieces.length - 1 ? `${one}/` : one)));
  return make("a", { href: `#model/${encodeURIComponent(model.key)}` }, name);
}
