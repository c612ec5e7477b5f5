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

// What is folded is printed, too.
window.addEventListener("beforeprint", () => document.querySelectorAll("details").forEach((each) => { each.open = true; }));
