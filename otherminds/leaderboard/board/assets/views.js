// The two views that are tables: all boards at once, and one board.

const rowsTold = (count) => (count === 1 ? "1 row" : `${count} rows`);

// The filters that tables share. `rows` are [element, {name, level, trained, kind, apart}].
function filters(rows, kinds, say) {
  const search = make("input", { type: "search", name: "name", placeholder: "name" });
  const level = options(make("select", { name: "level" }),
    [["", "all"], ["re-run", "re-run"], ["re-scored", "re-scored or re-run"]]);
  const form = make("form", { class: "tools", autocomplete: "off", "aria-label": "Filter models" },
    field("Model", search), field("Trust level", level));
  if (kinds.published) form.append(check("published results", "published", true));
  if (kinds.apart) form.append(check("not compared", "apart", true));
  const shown = (told) => {
    const { elements } = form;
    if (!told.name.toLowerCase().includes(search.value.trim().toLowerCase())) return false;
    if (told.kind === "published") return elements.published.checked && level.value === "";
    if (told.apart && kinds.apart && !elements.apart.checked) return false;
    if (level.value === "re-run") return told.level === "re-run";
    return level.value !== "re-scored" || told.level !== "self-reported";
  };
  const filter = () => {
    let count = 0;
    for (const [element, told] of rows) {
      element.hidden = !shown(told);
      if (!element.hidden) count += 1;
    }
    say(count === rows.length ? rowsTold(count) : `${count} of ${rowsTold(rows.length)}`);
  };
  form.addEventListener("input", filter);
  form.addEventListener("change", filter);
  form.addEventListener("submit", (event) => event.preventDefault());
  return form;
}

function counter() {
  const output = make("output", { "aria-live": "polite" });
  return [make("p", { class: "status" }, output), (text) => { output.textContent = text; }];
}

function title(text) {
  return make("h1", { tabindex: "-1" }, bdi(text));
}

// ---------------------------------------------------------------- all boards

function overall(data) {
  const boards = data.boards.filter((board) => board.rows.length);
  const lines = data.models
    .map((model, index) => ({ model, index }))
    .sort((a, b) => COLLATOR.compare(a.model.name, b.model.name) || COLLATOR.compare(b.model.checked, a.model.checked));
  const rows = lines.map(({ model, index }) => {
    const entered = boards.filter((board) => board.byModel.has(index)).length;
    const named = cell("th", model.name, modelLink(model));
    if (model.unaffiliated) named.append(make("div", {}, badge("unaffiliated", UNAFFILIATED)));
    const line = make("tr", {}, named, cell("td", entered, `${entered}`));
    for (const board of boards) line.append(overallCell(board, board.byModel.get(index)));
    line.append(cell("td", model.level, badge(model.level, LEVELS[model.level])),
      cell("td", model.checked, model.checked));
    return [line, { name: model.name, level: model.level, kind: "model", apart: false }];
  });
  const headings = [
    heading("Model", "", { numeric: false, name: true }),
    heading("Boards"),
    ...boards.map((board) => heading(board.short, board.columns[0].title)),
    heading("Trust level", "", { numeric: false }), heading("Accepted", "", { numeric: false }),
  ];
  const [status, say] = counter();
  const caption = "All boards, a row for each submission";
  const form = filters(rows, {}, say);
  say(rowsTold(rows.length));
  return [
    title("All boards"),
    make("p", { class: "how" }, openGolds(), " All boards are on released data. Each score with its group: models that share a letter on a board "
      + "are not told apart by their answers there. “Boards” counts those that a submission is on; "
      + "rows are in order of names. There is no average over boards: their scores have different "
      + "units, and a track of people and one of generated people are different questions."),
    form, status, scrolling(caption, table(caption, headings, rows.map(([line]) => line))),
    decisionsSection(data),
  ];
}

function overallCell(board, row) {
  if (!row || !row.values[0]) return cell("td", null, "–");
  const [column] = board.columns;
  const under = row.apart ? "not compared" : `group ${row.letters}`;
  return cell("td", row.values[0][0], number(row.values[0][0], column.places), small(under));
}

// ---------------------------------------------------------------- one board

function boardView(data, board) {
  const [first, ...others] = board.columns;
  const marked = { row: null };
  const [status, say] = counter();
  const lines = board.rows.map((row) => boardRow(data, board, row, (pressed) => {
    same(board, marked, pressed, lines, data, say);
  }));
  const published = board.published.map((one) => publishedRow(board, one));
  const all = [...lines, ...published];
  // A published result stands where its value does, among ranked rows; those not compared come last.
  const sign = first.high ? -1 : 1;
  const place = ([element, told]) => [told.apart ? 1 : 0, told.value === null ? 1 : 0,
    told.value === null ? 0 : sign * told.value];
  const ordered = [...all].sort((a, b) => {
    const [x, y] = [place(a), place(b)];
    return x[0] - y[0] || x[1] - y[1] || x[2] - y[2];
  });
  const headings = [
    heading("Model", "", { numeric: false, name: true }), heading("Rank"),
    heading(first.title, first.high ? "higher is better" : "lower is better"),
    heading("Group", `by ${board.items}`, { numeric: false }), heading("May rank", `by ${board.items}`),
    heading("Trust level", "", { numeric: false }),
    heading("Accepted", published.length ? "or published" : "", { numeric: false }),
    ...others.map((one) => heading(one.title, one.high ? "" : "lower is better")),
  ];
  const form = filters(ordered, {
    published: published.length > 0, apart: board.rows.some((row) => row.apart),
  }, say);
  say(rowsTold(ordered.length));
  const foot = board.anchors.map((anchor) => anchorRow(board, anchor));
  return [
    title(board.title), make("p", { class: "how" }, openGolds(), " ", board.about), make("p", { class: "how" }, tested(board)),
    form, legend(board), status,
    scrolling(board.title, table(board.title, headings, ordered.map(([line]) => line), foot)),
    notes(board),
  ];
}

function tested(board) {
  const rank = `Ranked by ${board.columns[0].title}.`;
  if (!board.tested) return `${rank} Nothing to compare yet.`;
  const [items, people] = [board.nItems, board.nPeople].map((n) => n.toLocaleString("en"));
  return `${rank} Groups and possible ranks come from the answers to ${items} items, compared person `
    + `by person (${people} of them) by the ${board.items}: models that share a letter are not told apart `
    + "(sign-flip test, adjusted for all pairs, 5%). Choose a group to see all models that one is "
    + "not told apart from.";
}

function boardRow(data, board, row, press) {
  const model = data.models[row.m];
  const [first, ...others] = board.columns;
  const value = row.values[0];
  const under = [model.unaffiliated ? badge("unaffiliated", UNAFFILIATED) : "",
    model.trained ? badge("trained on the data", "As the submitter declares", true) : "",
    row.apart && !model.trained ? badge(`not compared: ${row.apart}`, "", true) : ""].filter(Boolean);
  const letters = make("td", { class: "letters word" });
  if (row.letters) {
    const button = make("button", { type: "button", "aria-pressed": "false" }, row.letters);
    button.setAttribute("aria-label", `Group ${row.letters}: mark the models that ${model.name} is not told apart from`);
    button.addEventListener("click", () => press(line));
    letters.append(button);
    letters.dataset.key = row.letters;
  } else letters.append("–");
  const wide = cell("td", value && value[0], number(value && value[0], first.places), " ",
    small(interval(value, first.places)), bar(value, first.axis, board.anchors));
  wide.classList.add("wide");
  const ranks = row.ranks && (row.ranks[0] === row.ranks[1] ? `${row.ranks[0]}` : row.ranks.join("–"));
  const line = make("tr", row.apart ? { class: "aside" } : {},
    cell("th", model.name, modelLink(model), ...under.map((one) => make("div", {}, one))),
    cell("td", row.rank, row.rank === null ? "–" : `${row.rank}`), wide, letters,
    cell("td", row.ranks && row.ranks[0], ranks || "–"),
    cell("td", model.level, badge(model.level, LEVELS[model.level])),
    cell("td", model.checked, model.checked),
    ...others.map((column, index) => valueCell(row.values[index + 1], column)));
  line.dataset.model = row.m;
  return [line, {
    name: model.name, level: model.level, kind: "model", apart: row.apart !== "", value: value && value[0], row,
  }];
}

function valueCell(triple, column) {
  return cell("td", triple && triple[0], number(triple && triple[0], column.places),
    small(interval(triple, column.places)));
}

function publishedRow(board, one) {
  const [first, ...others] = board.columns;
  const value = one.values[0];
  const wide = cell("td", value && value[0], number(value && value[0], first.places),
    bar(value, first.axis, board.anchors));
  wide.classList.add("wide");
  const source = make("a", { href: one.url, rel: "noreferrer noopener" }, one.title);
  const line = make("tr", { class: "aside published" },
    cell("th", one.name, bdi(one.name), make("div", {}, make("small", {}, source))), cell("td", null, "–"), wide,
    make("td", { class: "word" }, "–"), cell("td", null, "–"),
    cell("td", "published", badge("published", LEVELS.published)), cell("td", one.date, one.date),
    ...others.map((column, index) => valueCell(one.values[index + 1], column)));
  return [line, { name: one.name, level: "", kind: "published", apart: false, value: value && value[0] }];
}

function anchorRow(board, anchor) {
  const values = board.columns.map((column, index) => valueCell(anchor.values[index], column));
  const empty = () => make("td", {}, "");
  return make("tr", {}, cell("th", null, bdi(anchor.kind === "human" ? "people" : anchor.name)),
    empty(), values[0], empty(), empty(), empty(), empty(), ...values.slice(1));
}

// Mark the rows that a model is not told apart from, or unmark them.
function same(board, marked, pressed, lines, data, say) {
  const again = marked.row === pressed;
  marked.row = again ? null : pressed;
  const own = lines.find(([line]) => line === pressed)[1].row;
  let count = 0;
  for (const [line, { row }] of lines) {
    const near = !again && row.place >= 0 && !board.tested.apart(own.place, row.place);
    line.classList.toggle("same", near);
    const button = line.querySelector("button");
    if (button) button.setAttribute("aria-pressed", String(!again && line === pressed));
    if (near && line !== pressed) count += 1;
  }
  say(again ? rowsTold(lines.length) : `${data.models[own.m].name} is not told apart from ${count} others (marked)`);
}

function notes(board) {
  const list = make("ul", {});
  for (const anchor of board.anchors) {
    list.append(make("li", {}, `${anchor.kind === "human" ? "people" : anchor.name}: ${anchor.about}`));
  }
  const told = new Map(board.published.map((one) => [one.note, one]));
  for (const [note, one] of told) list.append(make("li", {}, `published, ${one.title}: ${note}`));
  if (!list.children.length) return "";
  return make("details", { class: "more" }, make("summary", {}, "What chance, people and published results are"), list);
}
