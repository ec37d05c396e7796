// What was decided about submissions, from the moderation log.

function decisionsSection(data) {
  if (!data.decisions.length) return "";
  const caption = "Decisions about submissions, newest first";
  const headings = ["Date", "Decision", "Submission", "Pull request", "Reasons and flags"]
    .map((name) => heading(name, "", { numeric: false }));
  const rows = data.decisions.map(([date, action, submission, number, about]) => make("tr", {},
    cell("td", date, date), cell("td", action, action), cell("td", submission, bdi(submission || "–")),
    cell("td", number, number ? `#${number}` : "–"), cell("td", about, bdi(about || "–"))));
  const log = make("a", { href: `${data.records}/moderation.jsonl`, rel: "noreferrer noopener" }, "The whole log");
  return make("details", { class: "more" }, make("summary", {}, "Decisions"),
    make("p", { class: "how" }, "What was accepted, refused or held for a person, and why. ", log, "."),
    scrolling(caption, table(caption, headings, rows)));
}
