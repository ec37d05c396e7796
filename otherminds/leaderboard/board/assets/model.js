// The page of one model: its record, its scores with their parts, and how it differs from another one.

function modelView(data, number) {
  const model = data.models[number];
  const boards = data.boards.filter((board) => board.byModel.has(number));
  const parts = [title(model.name), make("p", {}, badge(model.level, LEVELS[model.level]), " ",
    `${LEVELS[model.level] || ""} Accepted ${model.checked}; its record is dated ${model.date}.`)];
  if (model.unaffiliated) {
    parts.push(make("p", {}, badge("unaffiliated", UNAFFILIATED), ` ${UNAFFILIATED}`));
  }
  if (model.trained) {
    parts.push(make("p", {}, badge("trained on the data", "", true),
      " The submitter declares that the model or its prompt was fitted to these data: it is not ranked."));
  }
  const told = facts(model.facts);
  const address = data.record(model);
  if (address) {
    told.append(make("div", {}, make("dt", {}, "Record"),
      make("dd", {}, make("a", { href: address, rel: "noreferrer noopener" }, "record and answers"))));
  }
  parts.push(told);
  if (model.notes) parts.push(make("p", { class: "how" }, "Notes: ", bdi(model.notes)));
  for (const [code, detail] of model.flags.filter(([code]) => code !== "unaffiliated")) {
    parts.push(make("p", {}, badge("flag", "Found when it was verified", true), " ", bdi(`${code}: ${detail}`)));
  }
  const other = options(make("select", { name: "other" }), [["", "choose a model"]]);
  data.models
    .map((one, index) => [index, one.name])
    .filter(([index]) => index !== number && boards.some((board) => board.byModel.has(index)))
    .sort((a, b) => COLLATOR.compare(a[1], b[1]))
    .forEach(([index, name]) => other.append(make("option", { value: index }, name)));
  parts.push(make("form", { class: "tools", "aria-label": "Compare" }, field("Compare with", other)));
  const cards = boards.map((board) => modelCard(data, board, number));
  other.addEventListener("change", () => {
    for (const { board, verdict } of cards) {
      verdict.textContent = other.value === "" ? "" : compared(data, board, number, Number(other.value));
    }
    const all = cards.map(({ board, verdict }) => `${board.title}: ${verdict.textContent}`);
    document.getElementById("said").textContent = other.value === "" ? "" : all.join(" ");
  });
  parts.push(...cards.map(({ card }) => card));
  return parts;
}

function modelCard(data, board, number) {
  const row = board.byModel.get(number);
  const link = make("a", { href: `#board/${board.id}` }, board.title);
  const card = make("section", { class: "card", "aria-label": board.title }, make("h2", {}, link, " ", openGolds()));
  card.append(make("p", {}, standing(row, board)), legend(board, null));
  card.append(plot("Scores", board.columns.map((one, index) => [one, row.values[index], index]), board));
  if (row.mean) {
    // One axis for all models of a board, so that their pages can be laid side by side.
    const ends = board.rows.flatMap((one) => [one.mean, ...one.parts])
      .map((one) => (one ? one[2] ?? one[0] : 0));
    const axis = [0, ends.reduce((a, b) => Math.max(a, b), 1)];
    const whole = { title: "all items", axis, places: 3 };
    const lines = [[whole, row.mean, -1]];
    row.parts.forEach((one, index) => {
      if (one && board.parts.length > 1) lines.push([{ ...whole, title: board.parts[index] }, one, -1]);
    });
    card.append(make("h3", {}, `By topic: ${board.items}`), plot(`By topic: ${board.items}`, lines, board));
  }
  const verdict = make("p", { class: "verdict" });
  card.append(verdict, make("details", {}, make("summary", {}, "Run details"), facts(row.run)));
  return { card, board, verdict };
}

function standing(row, board) {
  if (row.apart) return `Not compared: ${row.apart}.`;
  const [first, last] = row.ranks;
  const open = first === last ? `only rank ${first} is open` : `ranks ${first} to ${last} are open`;
  return `Rank ${row.rank ?? "–"} by ${board.columns[0].title}. By the ${board.items}: `
    + `group ${row.letters}, ${open}.`;
}

function plot(label, lines, board) {
  const list = make("ul", { class: "plot", "aria-label": label });
  for (const [column, triple, index] of lines) {
    if (!triple) continue;
    const text = `${number(triple[0], column.places)} ${interval(triple, column.places)}`;
    list.append(make("li", {}, make("span", { class: "part" }, bdi(column.title)),
      bar(triple, column.axis, index < 0 ? [] : board.anchors, index), make("span", { class: "value" }, text)));
  }
  return list;
}

function compared(data, board, number, other) {
  const [a, b] = [board.byModel.get(number), board.byModel.get(other)];
  const name = data.models[other].name;
  if (!b) return `${name} has not been submitted to this board.`;
  if (a.place < 0 || b.place < 0) return `Not comparable with ${name}: ${a.apart || b.apart}.`;
  const difference = a.mean[0] - b.mean[0];
  const half = board.tested.half(a.place, b.place);
  const range = half === null ? "" : ` ${interval([0, difference - half, difference + half], 3)}`;
  const verdict = board.tested.apart(a.place, b.place) ? "told apart" : "not told apart";
  return `Against ${name}: ${verdict}. Difference ${signed(difference, 3)}${range} in the ${board.items}.`;
}
