"use strict";
const $ = (id) => document.getElementById(id);

// The tree of concepts.
const folds = (open) => document.querySelectorAll(".tree details").forEach((each) => { each.open = open; });
$("unfold").addEventListener("click", () => folds(true));
$("fold").addEventListener("click", () => folds(false));
$("lacking").addEventListener("change", (event) => {
  document.querySelector(".tree").classList.toggle("lacking", event.target.checked);
  if (event.target.checked) folds(true);
});

// Marks: lines for `ontocrawl mark`, in a here-document that no shell looks into.
const marks = $("marks");
function gather() {
  const lines = [];
  for (const card of document.querySelectorAll(".card")) {
    const verdict = card.querySelector("input:checked").value;
    card.classList.toggle("good", verdict === "good");
    card.classList.toggle("bad", verdict === "bad");
    if (verdict) lines.push(`${verdict} ${card.dataset.url}`);
  }
  marks.value = lines.length ? `${marks.dataset.command} <<'END'\n${lines.join("\n")}\nEND\n` : "";
}
if (marks) {
  document.querySelector(".cards").addEventListener("change", gather);
  gather();  // a browser may remember what was chosen before
  $("copy").addEventListener("click", (event) => {
    marks.select();
    if (document.execCommand("copy")) event.target.textContent = event.target.dataset.done;
  });
}

// The threshold.
const slider = $("threshold");
if (slider) {
  const data = JSON.parse($("scale-data").textContent);
  const line = document.getElementById("threshold-line");
  const show = (list, pages) => {
    list.replaceChildren(...pages.map((page) => {
      const item = document.createElement("li");
      item.textContent = `${page.relevance.toFixed(3)} ${page.title || page.url}`;
      item.title = page.url;
      return item;
    }));
  };
  const move = () => {
    const at = Number(slider.value);
    const inForce = Math.abs(at - data.threshold) < 0.005;
    const border = inForce ? data.threshold : at;
    const from = Math.round(border * data.bins);
    const reaching = inForce ? data.reaching
      : data.parts.reduce((sum, [part, pages]) => sum + (part >= from ? pages : 0), 0);
    $("at").textContent = border.toFixed(2);
    $("in-force").hidden = !inForce;
    $("reaching").textContent = reaching.toLocaleString("en");
    $("rejudge").textContent = `${$("rejudge").dataset.command} ${border.toFixed(2)}`;
    line.setAttribute("transform", `translate(${border * Number(slider.dataset.width)} 0)`);
    for (let bar = 0; bar < data.bars; bar += 1) {
      document.getElementById(`bar-${bar}`).classList.toggle("out", (bar + 1) / data.bars <= border + 1e-9);
    }
    show($("just-in"), data.samples.filter((page) => page.relevance >= border).slice(0, 5));
    show($("just-out"), data.samples.filter((page) => page.relevance < border).slice(-5).reverse());
  };
  slider.addEventListener("input", move);
  move();
}

// What is folded is printed, too.
window.addEventListener("beforeprint", () => document.querySelectorAll("details").forEach((each) => { each.open = true; }));
