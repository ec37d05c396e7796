"use strict";
(() => {
  const { name, columns } = document.body.dataset;
  const place = `otherminds-construct/${name}`;
  const sections = [...document.querySelectorAll("section")];
  const byId = (id) => document.getElementById(id);

  function part(field) {
    const text = field.querySelector("textarea");
    if (text) return text.value.trim();
    const box = [...field.querySelectorAll("input")].find((one) => one.checked);
    return box ? box.value : "";
  }

  function values(section) {
    return Object.fromEntries(
      [...section.querySelectorAll("fieldset")].map((field) => [field.dataset.part, part(field)]));
  }

  function kept() {
    try {
      const found = JSON.parse(localStorage.getItem(place) || "{}");
      return found !== null && typeof found === "object" ? found : {};
    } catch {
      return {};
    }
  }

  function changed() {
    const all = Object.fromEntries(sections.map((one) => [one.dataset.sheet, values(one)]));
    try {
      localStorage.setItem(place, JSON.stringify(all));
    } catch {
      byId("notice").textContent =
        "This browser does not keep your answers: download them before you close the page.";
      byId("notice").hidden = false;
    }
    count();
  }

  function count() {
    const done = sections.filter((one) =>
      [...one.querySelectorAll("fieldset[data-needed]")].every(part));
    byId("count").textContent = `${done.length} of ${sections.length} answered`;
  }

  function cell(text) {
    // As `defused` in Python: no spreadsheet may take a text for a formula.
    const safe = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]/.test(text) ? `'${text}` : text;
    return /[",;\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  }

  function download() {
    const names = columns.split(" ");
    const rows = sections.map((one) => {
      const all = { sheet_id: one.dataset.sheet, ...values(one) };
      return names.map((key) => cell(all[key] ?? "")).join(",");
    });
    const text = `\ufeff${[names.join(","), ...rows].join("\r\n")}\r\n`;
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
    link.download = `${name.replaceAll(" ", "_")}.csv`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  }

  const before = kept();
  for (const section of sections) {
    const own = before[section.dataset.sheet] || {};
    for (const field of section.querySelectorAll("fieldset")) {
      const value = own[field.dataset.part] || "";
      const text = field.querySelector("textarea");
      if (text) text.value = value;
      for (const box of field.querySelectorAll("input")) box.checked = box.value === value;
    }
  }
  document.addEventListener("input", changed);
  byId("download").addEventListener("click", download);
  count();
})();
