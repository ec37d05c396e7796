// The sample browser: filters, and a list of which only the rows in sight exist.

const SPARE = 12; // rows drawn beyond each edge of the visible part

class Browser {
  constructor(index) {
    this.samples = new Samples(index);
    this.list = document.getElementById("list");
    this.table = this.list.querySelector("table");
    this.body = this.table.tBodies[0];
    this.form = document.getElementById("filters");
    this.count = document.getElementById("count");
    this.detail = new Detail(this.samples, {
      of: (row) => this.found.indexOf(row),
      count: () => this.found.length,
      choose: (place) => this.choose(place),
    });
    this.sort = { name: null, down: false };
    this.found = []; // rows that pass the filters, in the order shown
    this.current = -1; // the chosen row, wherever it stands
    this.drawn = {}; // what is in the document
    this.row = 1; // height of a row in pixels
    this.asked = 0; // counts filterings: a late answer to an early question is dropped
  }

  start() {
    this.headings();
    this.choices();
    this.form.addEventListener("input", () => this.filter());
    this.form.addEventListener("reset", () => requestAnimationFrame(() => this.filter()));
    this.form.addEventListener("submit", (event) => event.preventDefault());
    this.list.addEventListener("scroll", () => requestAnimationFrame(() => this.draw()));
    new ResizeObserver(() => { this.measure(); this.draw(); }).observe(this.list);
    this.body.addEventListener("click", (event) => {
      const line = event.target.closest("tr[data-place]");
      if (line) this.choose(Number(line.dataset.place));
    });
    this.table.addEventListener("keydown", (event) => this.key(event));
    this.detail.element.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.table.focus();
    });
    addEventListener("hashchange", () => this.follow());
    this.measure();
    this.found = Array.from({ length: this.samples.size }, (_, row) => row);
    this.show();
    performance.mark("first-rows");
    this.follow();
  }

  // A row's height depends on the width of the page: page.css has both.
  measure() {
    this.row = parseFloat(getComputedStyle(this.list).getPropertyValue("--row"));
  }

  headings() {
    const line = this.table.tHead.rows[0];
    const whole = this.samples.shown.reduce((sum, [, share]) => sum + share, 0);
    const titles = new Map(COLUMNS);
    this.samples.shown.forEach(([name, share], column) => {
      const arrow = make("span", { class: "arrow", "aria-hidden": "true" });
      const title = titles.get(name).replace(" answer", "");
      const button = make("button", { type: "button" }, title, arrow);
      button.addEventListener("click", () => this.order(name));
      const heading = make("th", { scope: "col", class: name, "data-name": name }, button);
      heading.style.width = `${(100 * share) / whole}%`;
      heading.setAttribute("role", "columnheader");
      heading.setAttribute("aria-colindex", column + 1);
      line.append(heading);
    });
  }

  choices() {
    for (const name of ["run", "task", "part", "category"]) {
      const select = this.form.elements[name];
      const { values } = this.samples.index.columns[name];
      select.append(make("option", { value: "" }, "all"));
      values
        .map((value, code) => [value, code])
        .sort(([a], [b]) => COLLATOR.compare(a, b))
        .forEach(([value, code]) => {
          select.append(make("option", { value: code }, visible(value) || "(none)"));
        });
      select.closest("label").hidden = values.length < 2;
    }
    const sort = this.form.elements.sort;
    sort.append(make("option", { value: "" }, "order of files"));
    for (const [name, title] of this.samples.columns) {
      sort.append(make("option", { value: name }, title.toLowerCase()));
    }
    const people = this.samples.index.columns.person.values;
    const input = this.form.elements.person;
    input.closest("label").hidden = people.length < 2;
    input.addEventListener("focus", () => {
      const options = people.map((person) => make("option", { value: person }));
      document.getElementById("people").append(...options);
    }, { once: true });
  }

  // ------------------------------------------------------------ filtering and sorting

  async filter() {
    const asked = (this.asked += 1);
    const { elements } = this.form;
    if (elements.raw.checked && elements.text.value) this.count.textContent = "Searching…";
    const rows = await this.samples.passing(elements);
    if (asked !== this.asked) return;
    const wanted = elements.sort.value || null;
    if (wanted !== this.sort.name) this.sorted(wanted, false);
    this.found = rows;
    this.arrange();
    this.list.scrollTop = 0;
    this.show();
  }

  order(name) {
    const again = this.sort.name === name;
    if (again && this.sort.down) this.sorted(null, false);
    else this.sorted(name, again);
    this.arrange();
    this.list.scrollTop = 0;
    this.show();
  }

  sorted(name, down) {
    this.sort = { name, down };
    this.form.elements.sort.value = name ?? "";
    for (const heading of this.table.tHead.rows[0].cells) {
      heading.removeAttribute("aria-sort");
      if (heading.dataset.name === name) {
        heading.setAttribute("aria-sort", down ? "descending" : "ascending");
      }
    }
  }

  arrange() {
    const { name, down } = this.sort;
    const rank = name === null ? null : this.samples.rank(name);
    this.found = this.found.toSorted((a, b) => {
      if (rank === null) return a - b;
      if (rank[a] === null || rank[b] === null) return (rank[a] === null) - (rank[b] === null) || a - b;
      return (down ? rank[b] - rank[a] : rank[a] - rank[b]) || a - b;
    });
  }

  // ------------------------------------------------------------ the list

  show() {
    const [some, all] = [this.found.length, this.samples.size].map((n) => n.toLocaleString("en"));
    this.count.textContent = some === all ? `${all} samples` : `${some} of ${all} samples`;
    this.table.setAttribute("aria-rowcount", this.found.length + 1);
    this.draw();
  }

  // Only rows in sight, and a few more, are in the document; the others are two empty heights.
  draw() {
    const first = Math.max(0, Math.floor(this.list.scrollTop / this.row) - SPARE);
    const seen = Math.ceil(this.list.clientHeight / this.row) + 2 * SPARE;
    const last = Math.min(this.found.length, first + seen);
    const { drawn } = this;
    if (drawn.found === this.found && drawn.first === first && drawn.last === last && drawn.row === this.row) {
      this.mark();
      return; // the same rows stay: replacing one between press and release would lose the click
    }
    this.drawn = { found: this.found, first, last, row: this.row };
    const lines = [this.gap(first)];
    for (let place = first; place < last; place += 1) lines.push(this.line(place));
    lines.push(this.gap(this.found.length - last));
    this.body.replaceChildren(...lines);
    this.mark();
  }

  gap(rows) {
    const cell = make("td", { colspan: this.samples.shown.length });
    const line = make("tr", { class: "gap", "aria-hidden": "true" }, cell);
    line.style.height = cell.style.height = `${rows * this.row}px`;
    return line;
  }

  line(place) {
    const row = this.found[place];
    const judged = { 1: "right", 0: "wrong" }[this.samples.index.correct[row]] ?? "open";
    const line = make("tr", { role: "row", id: `row-${row}`, class: judged });
    line.dataset.place = place;
    line.setAttribute("aria-rowindex", place + 2);
    for (const [name, , below] of this.samples.shown) {
      const text = make("bdi", {}, this.samples.short(name, row));
      const cell = make("td", { role: "gridcell", class: name, title: this.samples.text(name, row) }, text);
      const under = this.samples.under(below, row);
      if (under) cell.append(make("small", {}, make("bdi", {}, under)));
      line.append(cell);
    }
    return line;
  }

  mark() {
    for (const line of this.body.querySelectorAll("[aria-selected]")) {
      line.removeAttribute("aria-selected");
    }
    const line = document.getElementById(`row-${this.current}`);
    if (line) {
      line.setAttribute("aria-selected", "true");
      this.table.setAttribute("aria-activedescendant", line.id);
    } else this.table.removeAttribute("aria-activedescendant");
  }

  key(event) {
    const page = Math.max(1, Math.floor(this.list.clientHeight / this.row) - 2);
    const last = this.found.length - 1;
    const place = this.found.indexOf(this.current);
    const moves = {
      ArrowDown: place + 1, ArrowUp: Math.max(place, 1) - 1, Home: 0, End: last,
      PageDown: place + page, PageUp: place - page,
    };
    if (event.target !== this.table || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "Enter" && this.current >= 0) this.detail.element.focus();
    else if (!(event.key in moves)) return;
    else if (last >= 0) this.choose(Math.min(last, Math.max(0, moves[event.key])));
    event.preventDefault();
  }

  choose(place) {
    this.current = this.found[place];
    const top = place * this.row;
    const height = this.list.clientHeight - this.table.tHead.offsetHeight;
    if (top < this.list.scrollTop) this.list.scrollTop = top;
    else if (top + this.row > this.list.scrollTop + height) this.list.scrollTop = top + this.row - height;
    this.draw();
    this.detail.read(this.current);
  }

  // ------------------------------------------------------------ links to one sample

  async follow() {
    if (!location.hash.startsWith("#sample=")) return;
    let row = 0;
    while (row < this.samples.size && this.samples.link(row) !== location.hash) row += 1;
    document.getElementById("samples").scrollIntoView();
    if (row === this.samples.size) {
      this.detail.say("No sample has this link.");
      return;
    }
    if (!this.found.includes(row)) {
      for (const field of this.form.elements) {
        if (field.type === "checkbox") field.checked = false;
        else field.value = "";
      }
      await this.filter();
    }
    this.choose(this.found.indexOf(row));
  }
}

async function browse() {
  try {
    new Browser(await unpack("samples-index")).start();
  } catch (error) {
    const why = "The samples cannot be shown: they need a browser of 2023 or later.";
    document.getElementById("count").textContent = why;
    throw error;
  }
}

if (document.getElementById("samples")) browse();
