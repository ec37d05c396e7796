// Which view the address asks for.

class Site {
  constructor(data) {
    this.data = data;
    this.view = document.getElementById("view");
    const nav = document.getElementById("boards");
    this.seasons = document.getElementById("seasons");
    if (this.seasons) nav.append(make("a", { href: "#seasons" }, "Seasons"));
    nav.append(make("a", { href: "#" }, "All boards"));
    for (const board of data.boards) {
      if (board.rows.length || board.published.length) {
        nav.append(make("a", { href: `#board/${board.id}` }, board.short));
      }
    }
    this.nav = nav;
    addEventListener("hashchange", () => this.show(true));
  }

  show(moved) {
    const [kind, name] = location.hash.slice(1).split("/");
    if (kind === "view") return; // the link that skips the header
    const board = kind === "board" ? this.data.board(name) : undefined;
    const number = this.data.models.findIndex((one) => kind === "model" && one.key === name);
    let content;
    if (board) content = boardView(this.data, board);
    else if (number >= 0) content = modelView(this.data, number);
    else content = overall(this.data);
    this.view.replaceChildren(...content);
    // They stand first where all boards do; a board or model that was asked for comes first itself.
    if (this.seasons) this.seasons.hidden = Boolean(board) || number >= 0;
    for (const link of this.nav.children) {
      const current = board ? `#board/${board.id}` : number < 0 ? "#" : null;
      if (link.getAttribute("href") === current) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
    const head = this.view.querySelector("h1");
    document.title = `${head.textContent} – OtherMinds leaderboard`;
    if (this.seasons && kind === "seasons") {
      this.seasons.scrollIntoView();
    } else if (moved) {
      head.focus({ preventScroll: true });
      scrollTo(0, 0);
    }
    performance.mark("shown");
  }
}

unpack("board-data").then(
  (content) => new Site(new Data(content)).show(false),
  (error) => {
    document.getElementById("loading").textContent =
      "The board cannot be shown: it needs a browser of 2023 or later.";
    throw error;
  },
);
