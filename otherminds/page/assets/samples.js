// The samples as the index in the page describes them: values, order, filters, and where the texts are.

const OUTCOMES = new Map([
  [1, ["✓", "correct"]], [0, ["✗", "wrong"]], [null, ["–", "not judged"]],
]);
// Name and heading of everything that is known of a sample.
const COLUMNS = [
  ["correct", "Outcome"], ["item_id", "Item"], ["gold", "True answer"],
  ["answers", "Parsed answer"], ["run", "Run"], ["person", "Person"], ["part", "Part"],
  ["category", "Category"], ["score", "Share of repeats that are right"], ["task", "Task"],
];
// The columns of the list: name, share of the width in percent, and what stands below in small.
const SHOWN = [
  ["correct", 16, ["score"]], ["item_id", 31, ["person", "part", "category"]], ["gold", 11, []],
  ["answers", 14, []], ["run", 28, ["task"]],
];
const IN_ROW = { item_id: 44, small: 52, answer: 22 }; // characters that a row has room for
const SEARCHED = ["item_id", "gold", "answers"];

class Samples {
  constructor(index) {
    this.index = index;
    this.size = index.size;
    this.ranks = {};
    this.stores = {};
    for (const name of ["answer", "question", "evidence"]) {
      this.stores[name] = new Store(name, index.starts[name]);
    }
    this.columns = COLUMNS.filter(([name]) => this.tells(name));
    this.told = new Set(this.columns.map(([name]) => name));
    this.shown = SHOWN.filter(([name]) => this.told.has(name) || name === "run");
  }

  // Whether a column says anything: one run's name on every line does not.
  tells(name) {
    if (name === "correct" || name === "item_id") return true;
    if (name === "score") {
      const { correct, score } = this.index;
      return score.some((value, row) => value !== null && value !== correct[row]);
    }
    const { values } = this.index.columns[name];
    return values.length > 1 || (["gold", "answers"].includes(name) && values[0] !== "");
  }

  text(name, row) {
    if (name === "correct") {
      const [sign, outcome] = OUTCOMES.get(this.index.correct[row]);
      return `${sign} ${this.index.parsed[row] ? outcome : "not parsed"}`;
    }
    if (name === "score") {
      const score = this.index.score[row];
      return score === null ? "" : String(Number(score.toFixed(4)));
    }
    return visible(this.value(name, row));
  }

  // The same, as short as a row of the list needs it. Runs have names of their own for it.
  short(name, row) {
    if (name === "run") return visible(this.index.labels[this.index.columns.run.codes[row]]);
    if (name === "correct") return this.text(name, row);
    return middle(this.text(name, row), IN_ROW[name] ?? IN_ROW.answer);
  }

  // The small line below: what else tells this sample from others.
  under(names, row) {
    const told = names.filter((name) => this.told.has(name)).map((name) => {
      const text = this.text(name, row);
      return name === "score" && text ? `right in ${text}` : text;
    });
    return middle(told.filter(Boolean).join(" · "), IN_ROW.small);
  }

  // When an answer to this sample's task counts as correct.
  rule(row) {
    return visible(this.index.right[this.index.columns.task.codes[row]] ?? "");
  }

  value(name, row) {
    const { values, codes } = this.index.columns[name];
    return values[codes[row]];
  }

  // What stands after the # in a link to one sample.
  link(row) {
    const names = ["run", "task", "item_id"].map((name) => visible(this.value(name, row)));
    return `#sample=${names.map(encodeURIComponent).join("/")}`;
  }

  // The rows that pass every filter of the form, given its fields.
  async passing(fields) {
    const wanted = (name) => fields[name].value;
    const tests = [];
    for (const name of ["run", "task", "part", "category"]) {
      const { codes } = this.index.columns[name];
      const code = Number(wanted(name));
      if (wanted(name) !== "") tests.push((row) => codes[row] === code);
    }
    if (wanted("correct") !== "") {
      const judged = wanted("correct") === "none" ? null : Number(wanted("correct"));
      tests.push((row) => this.index.correct[row] === judged);
    }
    if (wanted("parsed") !== "") {
      const understood = Number(wanted("parsed"));
      tests.push((row) => this.index.parsed[row] === understood);
    }
    if (wanted("person") !== "") tests.push(this.personTest(wanted("person")));
    if (wanted("text") !== "") {
      tests.push(await this.textTest(wanted("text").toLowerCase(), fields.raw.checked));
    }
    const rows = [];
    for (let row = 0; row < this.size; row += 1) {
      if (tests.every((test) => test(row))) rows.push(row);
    }
    return rows;
  }

  // A person's whole name means that person; anything else, everyone whose name contains it.
  personTest(text) {
    const { values, codes } = this.index.columns.person;
    const exact = values.indexOf(text);
    if (exact >= 0) return (row) => codes[row] === exact;
    return this.contains("person", text.toLowerCase());
  }

  async textTest(text, raw) {
    const tests = SEARCHED.map((name) => this.contains(name, text));
    if (raw) {
      const hits = [];
      for await (const [answers] of this.stores.answer.all()) {
        hits.push(answers.some((answer) => answer.toLowerCase().includes(text)));
      }
      tests.push((row) => hits[row]);
    }
    return (row) => tests.some((test) => test(row));
  }

  contains(name, text) {
    const { values, codes } = this.index.columns[name];
    const hits = values.map((value) => value.toLowerCase().includes(text));
    return (row) => hits[codes[row]];
  }

  // For each row a number to sort a column by, null for no value.
  rank(name) {
    if (name === "correct" || name === "score") return this.index[name];
    if (!this.ranks[name]) {
      const { values, codes } = this.index.columns[name];
      const places = new Array(values.length);
      values
        .map((value, code) => [value, code])
        .sort(([a], [b]) => COLLATOR.compare(a, b))
        .forEach(([value, code], place) => { places[code] = value === "" ? null : place; });
      this.ranks[name] = codes.map((code) => places[code]);
    }
    return this.ranks[name];
  }
}
