// One sample in full.

class Detail {
  // `places` tells where a row stands in the list now, and moves there.
  constructor(samples, places) {
    this.samples = samples;
    this.places = places;
    this.element = document.getElementById("detail");
    this.row = -1;
  }

  say(text) {
    this.element.replaceChildren(make("p", { class: "hint" }, text));
  }

  async read(row) {
    this.row = row;
    const { index, stores } = this.samples;
    const [[raw, gold, answers], question] = await Promise.all([
      stores.answer.at(row), stores.question.at(index.question[row]),
    ]);
    if (row !== this.row) return; // another one was chosen meanwhile
    const parts = [this.top(row), this.facts(row)];
    parts.push(make("div", { class: "pair" },
      section("True answer", long(gold)), section("Parsed answer", long(answers))));
    const rule = this.samples.rule(row);
    if (rule) parts.push(make("p", { class: "hint rule" }, `Counts as correct: ${rule}`));
    raw.forEach((answer, number) => {
      const title = raw.length > 1 ? `Raw answer ${number + 1} of ${raw.length}` : "Raw answer";
      parts.push(section(title, long(answer)));
    });
    parts.push(section("Question", long(question)));
    if (index.evidence[row] >= 0) parts.push(this.evidence(index.evidence[row]));
    const { step } = document.activeElement.dataset; // the button that led here is replaced too
    this.element.replaceChildren(...parts);
    if (step) this.element.querySelector(`[data-step="${step}"]`).focus();
    this.element.scrollTop = 0;
  }

  top(row) {
    const place = this.places.of(row);
    const step = (name, to) => {
      const button = make("button", { type: "button", "data-step": name }, name);
      button.disabled = to < 0 || to >= this.places.count();
      button.addEventListener("click", () => this.places.choose(to));
      return button;
    };
    const title = make("h3", {}, make("bdi", {}, this.samples.text("item_id", row)));
    const link = make("a", { href: this.samples.link(row) }, "Link to this sample");
    return make("div", { class: "top" }, title,
      make("p", {}, step("Previous", place - 1), step("Next", place + 1), link));
  }

  facts(row) {
    const list = make("dl");
    for (const [name, title] of COLUMNS) {
      const text = this.samples.text(name, row);
      if (text && !SEARCHED.includes(name) && (name !== "score" || this.samples.told.has(name))) {
        list.append(make("div", {}, make("dt", {}, title), make("dd", {}, make("bdi", {}, text))));
      }
    }
    return list;
  }

  evidence(position) {
    const box = make("details", {}, make("summary", {}, "Evidence shown before the question"));
    box.addEventListener("toggle", async () => {
      box.append(long(await this.samples.stores.evidence.at(position)));
    }, { once: true });
    return box;
  }
}
