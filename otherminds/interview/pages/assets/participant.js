// What the pages do beyond plain forms: they keep drafts, survive a lost connection and tell how far it is.
// Without this script everything but the drafts works.
"use strict";

const DRAFTS = "otherminds/";
const POLL_MS = 2000;
const PAUSE_MS = 60000;
const RETRY_MS = 3000;

// --- drafts: what is typed stays in this browser until the server has it

function stored(key) {
  try {
    return JSON.parse(localStorage.getItem(DRAFTS + key));
  } catch {
    return null;
  }
}

function store(key, value) {
  try {
    if (value === null) localStorage.removeItem(DRAFTS + key);
    else localStorage.setItem(DRAFTS + key, JSON.stringify(value));
  } catch {
    // A browser that keeps nothing still sends everything.
  }
}

function forgetDrafts() {
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith(DRAFTS)) localStorage.removeItem(key);
  } catch {
    // There is nothing to forget.
  }
}

function fieldsOf(form) {
  return [...form.elements].filter((one) => one.name && one.type !== "hidden" && one.type !== "submit");
}

function valuesOf(form) {
  const found = {};
  for (const one of fieldsOf(form)) {
    if (one.type !== "radio" && one.type !== "checkbox") found[one.name] = one.value;
    else if (one.checked) found[one.name] = one.value;
  }
  return found;
}

function keepDrafts(form) {
  // The personal link is in the name's place alone: two people at one computer do not meet.
  const key = `${location.pathname.split("/")[2].slice(-12)}/${form.dataset.draft}`;
  const kept = stored(key) ?? {};
  for (const one of fieldsOf(form)) {
    if (!(one.name in kept)) continue;
    if (one.type === "radio" || one.type === "checkbox") {
      if (!form.querySelector(`[name="${CSS.escape(one.name)}"]:checked`)) one.checked = one.value === kept[one.name];
    } else if (!one.value) one.value = kept[one.name];
  }
  form.addEventListener("input", () => store(key, valuesOf(form)));
  form.addEventListener("change", () => store(key, valuesOf(form)));
  return { forget: () => store(key, null) };
}

// --- the question

function ask(form, isFirst) {
  const drafts = keepDrafts(form);
  const text = form.elements.answer;
  const shown = performance.now();
  let first = null;
  let last = shown;
  let pauses = 0;
  for (const one of document.querySelectorAll(".with-script")) one.hidden = false;
  // A page that was loaded has the focus there already.
  if (!isFirst) text.focus({ preventScroll: true });
  text.setSelectionRange(text.value.length, text.value.length);
  text.addEventListener("input", () => {
    const now = performance.now();
    first ??= now;
    if (now - last > PAUSE_MS) pauses += 1;
    last = now;
  });
  text.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      form.requestSubmit();
    } else if (event.key === "Escape" && text.value) {
      event.preventDefault();
      // As typed text, so that the browser's undo brings it back.
      text.select();
      if (!document.execCommand("delete")) text.value = "";
      drafts.forget();
    }
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    form.elements.elapsed.value = Math.round(performance.now() - shown);
    form.elements.first_key.value = first === null ? "" : Math.round(first - shown);
    form.elements.pauses.value = pauses;
    send(form, drafts);
  });
}

// Sends a form, again and again while the server cannot be reached; the same answer counts once.
async function send(form, drafts) {
  const button = form.querySelector("button.main");
  const trouble = document.getElementById("trouble");
  const body = new URLSearchParams(new FormData(form));
  button.disabled = true;
  for (;;) {
    let answer = null;
    try {
      answer = await fetch(form.action, { method: "POST", body });
    } catch {
      // The connection is lost.
    }
    if (answer !== null && answer.status !== 429 && answer.status < 500) {
      if (answer.ok || answer.status === 409) drafts.forget();
      show(await answer.text(), answer.url);
      return;
    }
    trouble.textContent = "The study cannot be reached. Your answer is kept here and is sent as soon as it can be.";
    trouble.hidden = false;
    await new Promise((done) => {
      const timer = setTimeout(done, RETRY_MS);
      addEventListener("online", () => { clearTimeout(timer); done(); }, { once: true });
    });
  }
}

// Puts the page that came back in the place of this one, without loading everything again.
function show(text) {
  const next = new DOMParser().parseFromString(text, "text/html");
  const place = next.getElementById("place");
  if (place === null || !document.getElementById("place")) {
    location.reload();
    return;
  }
  document.title = next.title;
  for (const name of ["header", "main", "footer"]) {
    document.querySelector(`body > ${name}`)?.replaceWith(next.querySelector(`body > ${name}`));
  }
  scrollTo(0, 0);
  begin();
}

async function reload() {
  try {
    const answer = await fetch(location.pathname);
    if (answer.ok) show(await answer.text());
  } catch {
    // The next look tries again.
  }
}

// --- how far it is

let looking = null;

function look(place) {
  clearTimeout(looking);
  const isWaiting = place.dataset.place === "waiting";
  if (!isWaiting && place.dataset.processing === "0") return;
  looking = setTimeout(async () => {
    try {
      const answer = await fetch(place.dataset.state);
      if (answer.ok) {
        const state = await answer.json();
        if (isWaiting && state.place !== "waiting") {
          await reload();
          return;
        }
        tell(state);
        place.dataset.processing = state.processing;
      }
    } catch {
      // Whoever types need not know that a look failed.
    }
    if (place.isConnected) look(place);
  }, POLL_MS);
}

function tell(state) {
  const bar = document.getElementById("progress");
  bar.value = Math.max(bar.value, state.progress);
  document.getElementById("share").textContent = `${bar.value} %`;
  const told = document.getElementById("processing");
  const words = state.processing === 1 ? "Processing 1 answer …" : `Processing ${state.processing} answers …`;
  const now = state.processing ? words : "";
  if (told.textContent !== now) told.textContent = now;
}

// --- the review: what is changed is saved as soon as a field is left

function autosave(form) {
  const saved = document.getElementById("saved");
  let isSaving = false;
  let isChanged = false;
  form.addEventListener("change", async () => {
    isChanged = true;
    if (isSaving) return;
    isSaving = true;
    while (isChanged) {
      isChanged = false;
      saved.textContent = await saveNow(form);
    }
    isSaving = false;
  });
}

async function saveNow(form) {
  try {
    const body = new URLSearchParams(new FormData(form));
    const answer = await fetch(form.action, { method: "POST", body });
    const next = new DOMParser().parseFromString(await answer.text(), "text/html");
    const told = next.getElementById("saved");
    if (!answer.ok || told === null) return "Not saved yet: use “Save changes”, which says why.";
    for (const one of form.querySelectorAll("[name^='seen:']")) {
      one.value = next.querySelector(`[name="${CSS.escape(one.name)}"]`).value;
    }
    return told.textContent;
  } catch {
    return "Not saved yet: the study cannot be reached.";
  }
}

// --- questions that do not apply to everybody

function foldQuestions(form) {
  for (const line of form.querySelectorAll("[data-not-for]")) {
    const rules = Object.entries(JSON.parse(line.dataset.notFor));
    const fold = () => {
      line.hidden = rules.some(([name, values]) =>
        values.includes(form.querySelector(`[data-name="${CSS.escape(name)}"]`)?.value));
    };
    form.addEventListener("change", fold);
    fold();
  }
}

function begin(isFirst = false) {
  document.querySelector("[data-focus]")?.focus();
  const question = document.querySelector("form[data-swap]");
  if (question) ask(question, isFirst);
  const page = document.querySelector("form[data-draft]:not([data-swap])");
  if (page) {
    keepDrafts(page);
    foldQuestions(page);
  }
  const review = document.querySelector("form[data-autosave]");
  if (review) autosave(review);
  const place = document.getElementById("place");
  if (place) look(place);
  else if (document.getElementById("finished")) forgetDrafts();
}

begin(true);
