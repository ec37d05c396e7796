"use strict";
(() => {
  const { study, annotator, columns } = document.body.dataset;
  const place = `otherminds-annotate/${study}/${annotator}`;
  const fields = [...document.querySelectorAll("fieldset")];
  const sections = [...document.querySelectorAll("section.stage")];
  const byId = (id) => document.getElementById(id);
  const boxes = (field) => [...field.querySelectorAll("input")];
  const chosen = (field) => boxes(field).find((box) => box.checked);
  // A fieldset holds boxes to choose from, or a text that may stay empty.
  const text = (field) => field.querySelector("textarea");
  const asked = fields.filter((field) => !text(field));
  const value = (field) => (text(field) ? text(field).value.trim() : chosen(field)?.value ?? "");

  function warn(text) {
    byId("notice").textContent = text;
    byId("notice").hidden = false;
  }

  function kept() {
    try {
      const found = JSON.parse(localStorage.getItem(place) || "{}");
      return found !== null && typeof found === "object" ? found : {};
    } catch {
      return {};
    }
  }

  function keep(at) {
    const values = Object.fromEntries(
      fields.filter(value).map((field) => [field.dataset.row, value(field)]));
    try {
      localStorage.setItem(place, JSON.stringify({ values, at }));
    } catch {
      warn("This browser does not keep your answers: download them before you close the page.");
    }
  }

  function count() {
    const done = asked.filter(chosen).length;
    byId("progress").max = asked.length;
    byId("progress").value = done;
    byId("count").textContent = `${done} of ${asked.length}`;
    for (const field of asked) field.querySelector(".clear").hidden = !chosen(field);
    for (const section of sections) {
      const own = asked.filter((field) => section.contains(field));
      const left = own.filter((field) => !chosen(field)).length;
      const button = document.querySelector(`nav [data-stage="${section.dataset.stage}"]`);
      button.classList.toggle("done", left === 0);
      button.classList.toggle("begun", left > 0 && left < own.length);
      button.querySelector(".state").textContent = left ? `, ${left} empty` : ", complete";
    }
  }

  function current() {
    return sections.find((section) => !section.hidden).dataset.stage;
  }

  function show(number, focus) {
    for (const section of sections) section.hidden = section.dataset.stage !== String(number);
    for (const button of document.querySelectorAll("nav .go")) {
      if (button.dataset.stage === String(number)) button.setAttribute("aria-current", "step");
      else button.removeAttribute("aria-current");
    }
    if (!focus) return;
    const section = byId(`stage-${number}`);
    for (const pane of section.children) pane.scrollTop = 0;
    window.scrollTo(0, 0);
    byId(`title-${number}`).focus({ preventScroll: true });
  }

  function changed() {
    count();
    keep(current());
  }

  function clear(field) {
    const box = chosen(field);
    if (!box) return;
    box.checked = false;
    box.focus();
    changed();
  }

  function cell(text) {
    // As `defused` in Python: no spreadsheet may take a text for a formula.
    const safe = /^ *[=+\-@\uff1d\uff0b\uff0d\uff20\t\r\n]/.test(text) ? `'${text}` : text;
    return /[",;\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  }

  function table() {
    const names = columns.split(" ");
    const rows = fields.map((field) => {
      const values = {
        study, annotator, ...field.dataset,
        stage: field.closest("section").dataset.stage,
        value: value(field),
      };
      return names.map((name) => cell(values[name])).join(",");
    });
    return `\ufeff${[names.join(","), ...rows].join("\r\n")}\r\n`;
  }

  function download() {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([table()], { type: "text/csv" }));
    link.download = `annotate_${annotator}.csv`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
    const left = asked.filter((field) => !chosen(field)).length;
    byId("status").textContent = left ? `Downloaded; ${left} are still empty.` : "Downloaded, complete.";
  }

  document.addEventListener("change", changed);
  document.addEventListener("input", (event) => { if (event.target.matches("textarea")) changed(); });
  document.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    if (button.classList.contains("go")) {
      show(button.dataset.stage, true);
      keep(current());
    } else if (button.classList.contains("clear")) clear(button.closest("fieldset"));
    else download();
  });
  document.addEventListener("keydown", (event) => {
    const field = event.target.closest("fieldset");
    if (!field || text(field) || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "Delete" || event.key === "Backspace") {
      event.preventDefault();
      clear(field);
      return;
    }
    const box = boxes(field).find((one) => (one.dataset.key ?? one.value) === event.key.toLowerCase());
    if (!box) return;
    event.preventDefault();
    box.checked = true;
    box.focus();
    changed();
  });

  window.addEventListener("storage", (event) => {
    if (event.key === place) warn("This sheet was changed in another tab: close one of the two, and load the page again.");
  });

  const before = kept();
  for (const field of fields) {
    const kept = (before.values || {})[field.dataset.row];
    const box = boxes(field).find((one) => one.value === kept);
    if (box) box.checked = true;
    if (text(field) && typeof kept === "string") text(field).value = kept;
  }
  count();
  show(byId(`stage-${before.at}`) ? before.at : 1, false);
  keep(current());
})();
