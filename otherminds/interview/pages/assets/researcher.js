// The slider over the answers of a session: it shows the graph as it was, and marks the answer beside it.
"use strict";

const slider = document.getElementById("after");
const told = document.getElementById("after-told");
const steps = [...document.querySelectorAll(".step")];
const answers = [...document.querySelectorAll(".transcript [data-qa]")];

function show() {
  const chosen = Number(slider.value);
  const now = steps[chosen].dataset.qa;
  for (const step of steps) step.hidden = Number(step.dataset.step) !== chosen;
  const place = answers.findIndex((one) => one.dataset.qa === now);
  answers.forEach((one, index) => {
    const isLast = chosen === steps.length - 1;
    one.classList.toggle("now", one.dataset.qa === now && !isLast);
    one.classList.toggle("later", index > place && !isLast);
  });
  told.textContent = `${chosen} of ${steps.length - 1}`;
}

slider.addEventListener("input", () => {
  show();
  document.querySelector(".transcript .now")?.scrollIntoView({ block: "center" });
});
show();
