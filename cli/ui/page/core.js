"use strict";
// What all tabs share: asking the server, making elements, choosing a crawl and a tab.
const $ = (id) => document.getElementById(id);
const t = JSON.parse($("texts").textContent);
const EVERY = 1000;  // milliseconds between two looks at what changes by itself
const tabs = {};  // name of a tab -> { show(), tick() }: called when it opens, and each second while it is seen
let store = sessionStorage.getItem("store");
let open = "";
let crawls = [];  // those of this machine

// The token leaves the address bar, so that it is not copied with it.
if (location.hash.length > 20) {
  sessionStorage.setItem("token", location.hash.slice(1));
  history.replaceState(null, "", location.pathname);
}

const number = (n) => n.toLocaleString("en");
const filled = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);

function element(name, text = "", kind = "") {
  const made = document.createElement(name);
  made.textContent = text;
  if (kind) made.className = kind;
  return made;
}

function button(text, act, kind = "") {
  const made = element("button", text, kind);
  made.type = "button";
  made.addEventListener("click", act);
  return made;
}

// A link to a page of the web. Addresses come from strangers: nothing but http and https is followed.
function linkTo(url, text) {
  const made = element("a", text);
  if (/^https?:/i.test(url)) Object.assign(made, { href: url, target: "_blank", rel: "noopener noreferrer" });
  return made;
}

// A list whose rows stay the same elements. While one of them has the focus or the pointer, none moves.
function sync(list, items, key, make, update) {
  const held = new Map([...list.children].map((row) => [row.dataset.key, row]));
  const isHeld = list.matches(":hover") || list.contains(document.activeElement);
  const wanted = new Set(items.map(key));
  if (isHeld && held.size) items = items.filter((item) => held.has(key(item)));
  else for (const [name, row] of held) if (!wanted.has(name)) row.remove();
  items.forEach((item, rank) => {
    let row = held.get(key(item));
    if (!row) {
      row = element("li");
      row.dataset.key = key(item);
      make(row, item);
    }
    if (!isHeld && list.children[rank] !== row) list.insertBefore(row, list.children[rank] || null);
    update(row, item);
  });
}

const put = (row, kind, text) => { const one = row.querySelector(`.${kind}`); if (one.textContent !== text) one.textContent = text; };
const say = (text) => { if ($("said").textContent !== text) $("said").textContent = text; };

// The answer to a question about the chosen crawl. Throws an Error with what the server says.
async function ask(name, words = {}) {
  const answer = await fetch(`/ask/${name}`, {
    method: "POST",
    headers: { Authorization: `Bearer ${sessionStorage.getItem("token") || ""}` },
    body: JSON.stringify({ store, ...words }),
    cache: "no-store",
  });
  const told = await answer.json();
  if (!answer.ok) throw new Error(told.error);
  return told;
}

// Do something that asks, and say at the top why it failed.
async function tried(act) {
  try {
    return await act();
  } catch (error) {
    say(error instanceof TypeError ? t.no_answer : error.message);
    return undefined;
  }
}

function openTab(name) {
  open = name;
  sessionStorage.setItem("tab", name);
  for (const each of Object.keys(tabs)) {
    $(each).hidden = each !== name;
    $(`tab-${each}`).setAttribute("aria-selected", String(each === name));
    $(`tab-${each}`).tabIndex = each === name ? 0 : -1;
  }
  say("");
  if (store || name === "crawl") tried(() => tabs[name].show());
}

function chooseCrawl(chosen) {
  store = chosen;
  sessionStorage.setItem("store", chosen);
  openTab(open);
}

async function showCrawls() {
  const answer = await ask("crawls");
  crawls = answer.crawls;
  const known = crawls.map((one) => one.store);
  if (!known.includes(store)) store = answer.given || known[0] || null;
  $("chosen").replaceChildren(...crawls.map((one) => {
    const made = element("option", one.is_running ? `${one.name} (${one.state})` : one.name);
    made.value = one.store;
    made.selected = one.store === store;
    return made;
  }));
}

async function begin() {
  for (const name of Object.keys(tabs)) $(`tab-${name}`).addEventListener("click", () => openTab(name));
  $("tabs").addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const names = Object.keys(tabs);
    openTab(names[(names.indexOf(open) + step + names.length) % names.length]);
    $(`tab-${open}`).focus();
  });
  $("chosen").addEventListener("change", () => chooseCrawl($("chosen").value));
  if (await tried(async () => { await showCrawls(); return true; })) {
    const before = sessionStorage.getItem("tab");
    openTab(open || (!store ? "crawl" : before in tabs ? before : Object.keys(tabs)[0]));  // one may have been clicked meanwhile
    if (!store) say(t.no_crawl);
  }
  setTimeout(tick, EVERY);
}

async function tick() {
  if (!document.hidden && store && open && tabs[open].tick) await tried(() => tabs[open].tick());
  setTimeout(tick, EVERY);
}

addEventListener("DOMContentLoaded", begin);
