// The samples as the index in the page describes them: values, order, filters, and where the texts are.

const OUTCOMES = new Map([
  [1, ["✓", "correct"]], [0, ["✗", "wrong"]], [null, ["–", "not judged"]],
]);
// Name, heading, and width in em of each column.
const COLUMNS = [
  ["correct", "Outcome", 8], ["item_id", "Item", 12.5], ["gold", "True", 5],
  ["answers", "Parsed", 6.5], ["run", "Run", 9.5], ["person", "Person", 7], ["part", "Topic", 8],
  ["category", "Category", 9], ["score", "Score", 5.5], ["task", "Task", 13],
];
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
  }

  // Whether a column says anything: one run's name on every line does not.
  tells(name) {
    if (name === "correct" || name === "item_id") return true;
    if (name === "score") {
      const { correct, score } = this.index;
      return score.some((value, row) => value !== null && value !== correct[row]);
    }
    const { values } = this.index.columns[name];
    return values.length > 1 || (name === "gold" && values[0] !== "");
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
