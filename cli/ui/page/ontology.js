{
// The ontology: what the crawl has of it, and proposals that are decided on by keys.
const KINDS = ["synonym", "narrower", "related", "misleading"];  // by the keys 1 to 4
const OPEN_LEVELS = 2;  // of the tree
const NAMED = ["suggest", "languages", "weigh", "check", "effects", "rejudge"];  // commands that run beside the page
const PAUSE = 150;  // milliseconds after a letter of a concept's name
const LAST_LINES = 12;  // of what a command says that runs

let tree = [];
let lacking = false;
const FOUND = { suggest: "proposals", languages: "names", weigh: "weights" };  // what each of them is asked for
let proposed = { suggest: [], languages: [], weigh: [] };  // by the command that found them
let rows = [];  // proposals that are not written
let current = 0;
let was = "";  // names the ontology's file as it was looked at
let canWrite = true;
let place = null;  // of the card whose place is being searched: { key, kind }
const running = new Set();
// What is decided and not written, by proposal; the order of decisions, for undo; the proposals that were written.
let memory = { decided: {}, steps: [], written: [] };

const memoryName = () => `ontology ${store}`;
const remember = () => sessionStorage.setItem(memoryName(), JSON.stringify(memory));
const keyOf = (one) => JSON.stringify([one.kind, one.term, one.language, one.concept]);
const listed = (id, texts) => $(id).replaceChildren(...texts.map((text) => element("li", text)));
const cured = ({ what, cure }) => [element("p", what), ...(cure ? [element("p", filled(t.onto_cure, { cure }))] : [])];

// An answer about this crawl; what comes after another crawl was chosen is not shown.
async function asked(name, words, act) {
  const about = store;
  const answer = await ask(`ontology.${name}`, words);
  if (about === store) await act(answer);
}

// Findings.
function showFindings(found) {
  $("onto-found").replaceChildren(...found.map((one) => {
    const row = element("li");
    const at = one.line === null ? "" : ` ${filled(t.onto_line, { line: one.line })}`;
    row.append(element("span", one.code, "code"), element("small", at), ` ${one.what}`, element("small", one.cure, "why"));
    return row;
  }), ...(found.length ? [] : [element("li", t.onto_no_findings)]));
}

// The tree of concepts. Branches are made when they are opened: an ontology may have thousands.
const childrenOf = (branches) => branches.filter((one) => !lacking || one.is_wanting);

function branch(one, depth) {
  const row = element("li");
  const below = childrenOf(one.narrower);
  const head = below.length ? element("summary") : element("div", "", "leaf");
  head.append(element("span", one.label, "label"), " ");
  if (one.again) head.append(element("small", t.again));
  else {
    head.append(element("span", t[`verdict_${one.verdict}`], `verdict ${one.verdict.replace(" ", "-")}`), " ");
    if (one.pages) head.append(element("span", `${number(one.on_topic)} / ${number(one.pages)} ${t.pages}, ${number(one.hosts)} ${t.hosts}`, "count"));
    if (one.weight !== null) head.append(element("small", filled(t.onto_weight, { weight: one.weight })));
    if (one.lacks) head.append(element("small", filled(t.below_lack, { n: one.lacks })));
  }
  if (!below.length) {
    row.append(head);
    return row;
  }
  const box = element("details");
  const list = element("ul");
  const fill = () => { if (!list.children.length) list.append(...below.map((each) => branch(each, depth + 1))); };
  box.addEventListener("toggle", () => { if (box.open) fill(); });
  box.append(head, list);
  row.append(box);
  if (depth < OPEN_LEVELS) {
    fill();
    box.open = true;
  }
  return row;
}

function showTree(levels = 0) {
  $("onto-tree").replaceChildren(...childrenOf(tree).map((one) => branch(one, -levels)));
  if (!tree.length) $("onto-tree").append(element("li", t.no_page));
}

// Proposals.
const decisionOf = (row) => memory.decided[row.key];

function thing(row) {
  const one = decisionOf(row) || row;
  if (one.kind === "weight") return filled(t.onto_reweigh, { place: one.place, value: one.value, weight: row.weight ?? "-" });
  return `${t[`kind_${one.kind}`]} · ${one.place || t.onto_open}`;
}

// The text with what stands in it of the term marked.
function withMarks(text, term) {
  const found = element("span");
  const pattern = new RegExp(term.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&"), "giu");
  let end = 0;
  for (const hit of text.matchAll(pattern)) {
    if (!hit[0]) break;
    found.append(text.slice(end, hit.index), element("mark", hit[0]));
    end = hit.index + hit[0].length;
  }
  found.append(text.slice(end));
  return found;
}

function tools(row, index) {
  const made = element("span", "", "buttons");
  const one = decisionOf(row);
  const at = (act) => () => { current = index; act(); };
  const add = (text, act, pressed) => {
    const each = button(text, at(act));
    each.setAttribute("aria-pressed", String(Boolean(pressed)));
    made.append(each);
  };
  add(`${t.onto_keep} (y)`, () => keep({}), one && one.is_kept);
  add(`${t.onto_no} (n)`, refuse, one && !one.is_kept);
  if (KINDS.includes(row.kind)) {
    KINDS.forEach((kind, number) => add(`${t[`kind_${kind}`]} (${number + 1})`, () => keep({ kind }), one && one.is_kept && one.kind === kind));
    made.append(button(`${t.onto_place} (m)`, at(() => searchPlace({}))));
  }
  return made;
}

function draw(index) {
  const row = rows[index];
  const card = $("onto-list").children[index];
  const one = decisionOf(row);
  card.className = one ? (one.is_kept ? "kept" : "refused") : "";
  const sentences = element("ul");
  sentences.append(...row.sentences.map((each) => {
    const item = element("li");
    item.append(withMarks(each.text, row.term), " ", linkTo(each.url, each.shown));
    return item;
  }));
  card.replaceChildren(element("h3", row.term), " ", element("span", thing(row)));
  if (one) card.append(" ", element("span", one.is_kept ? t.onto_is_kept : t.onto_is_refused, "decided"));
  card.append(...row.figures.map((text) => element("small", text, "why")), sentences, tools(row, index));
  if (place && place.key === row.key) card.append(placeForm());
}

function showCurrent() {
  [...$("onto-list").children].forEach((card, index) => {
    card.tabIndex = index === current ? 0 : -1;
    if (index === current) card.setAttribute("aria-current", "true");
    else card.removeAttribute("aria-current");
  });
  const decided = Object.values(memory.decided);
  const kept = decided.filter((one) => one.is_kept).length;
  const values = { decided: decided.length, all: rows.length, kept, refused: decided.length - kept };
  $("onto-count").textContent = rows.length ? filled(t.onto_count, values)
    : decided.length ? filled(t.onto_unwritten, values) : "";
  $("onto-see").disabled = !decided.length;
  $("onto-undo").disabled = !memory.steps.length;
}

function showProposals() {
  const all = Object.values(proposed).flat().map((row) => ({ ...row, key: keyOf(row) }));
  const once = new Map(all.reverse().map((row) => [row.key, row]));  // the first of a key wins
  rows = [...once.values()].reverse().filter((row) => !memory.written.includes(row.key));
  current = Math.max(0, rows.findIndex((row) => !decisionOf(row)));
  $("onto-keys").hidden = !rows.length;
  $("onto-list").replaceChildren(...rows.map(() => element("li")));
  rows.forEach((_, index) => draw(index));
  showCurrent();
}

function focusCard(index) {
  if (!rows.length) return;
  current = Math.min(Math.max(index, 0), rows.length - 1);
  showCurrent();
  $("onto-list").children[current].focus();
}

// Note a decision (none: it is taken back), and go on to the next proposal that has none.
function decide(decision) {
  const { key } = rows[current];
  memory.steps.push({ key, before: memory.decided[key] || null });
  memory.decided[key] = decision;
  place = null;
  remember();
  $("onto-plan").hidden = true;
  draw(current);
  showCurrent();
  const order = [...rows.keys()];
  const next = [...order.slice(current + 1), ...order.slice(0, current)].find((index) => !decisionOf(rows[index]));
  if (next === undefined) $("onto-see").focus();
  else focusCard(next);
}

function base(row) {
  const { kind, term, language, concept, place: at, value } = row;
  return { kind, term, language, concept, place: at, value };
}

function keep(change) {
  const row = rows[current];
  const before = decisionOf(row);
  const one = { ...base(before && before.is_kept ? before : row), ...change, is_kept: true };
  if (one.kind === "synonym" && !one.concept) searchPlace(change);  // a name must belong to a concept
  else decide(one);
}

const refuse = () => decide({ ...base(rows[current]), is_kept: false });

function undo() {
  const step = memory.steps.pop();
  if (!step) return;
  if (step.before) memory.decided[step.key] = step.before;
  else delete memory.decided[step.key];
  remember();
  $("onto-plan").hidden = true;
  const index = rows.findIndex((row) => row.key === step.key);
  if (index >= 0) {
    draw(index);
    focusCard(index);
  } else showCurrent();
}

function searchPlace(change) {
  const open = place;
  place = { key: rows[current].key, change };
  if (open) {
    const index = rows.findIndex((row) => row.key === open.key);
    if (index >= 0) draw(index);
  }
  draw(current);
  showCurrent();
  $("onto-part").focus({ preventScroll: true });
  $("onto-part").closest(".place").scrollIntoView({ block: "nearest" });
}

function closePlace() {
  place = null;
  draw(current);
  focusCard(current);
}

function placeForm() {
  const form = element("div", "", "place");
  const label = element("label", `${t.onto_part} `);
  const input = Object.assign(element("input"), { id: "onto-part", autocomplete: "off", spellcheck: false });
  const found = element("div", "", "buttons");
  const { change } = place;
  let waiting = 0;
  let turn = 0;
  const look = async () => {
    turn += 1;
    const mine = turn;
    const answer = await tried(() => ask("ontology.concepts", { part: input.value }));
    if (!answer || mine !== turn) return;
    found.replaceChildren(...answer.map((one) => button(one.place, () => keep({ ...change, ...one }))));
    if (input.value && !answer.length) found.append(element("small", t.onto_no_concept));
    form.scrollIntoView({ block: "nearest" });
  };
  input.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(look, PAUSE);
  });
  form.addEventListener("keydown", async (event) => {
    if (event.isComposing) return;  // Chinese is being typed
    if (event.key === "Escape") closePlace();
    else if (event.key === "Enter" && event.target === input) {
      event.preventDefault();
      clearTimeout(waiting);
      await look();
      if (found.querySelector("button")) found.querySelector("button").click();
    }
  });
  label.append(input);
  form.append(label, found);
  return form;
}

const KEYS = {
  y: () => keep({}),
  n: refuse,
  m: () => { if (KINDS.includes(rows[current].kind)) searchPlace({}); },
  u: undo,
  j: () => focusCard(current + 1),
  k: () => focusCard(current - 1),
};
KINDS.forEach((kind, number) => {
  KEYS[number + 1] = () => { if (KINDS.includes(rows[current].kind)) keep({ kind }); };
});

document.addEventListener("keydown", (event) => {
  if (open !== "ontology" || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (event.target.closest("input, textarea, select")) return;
  const key = event.key.toLowerCase();
  const isHere = $("onto-list").contains(event.target);
  // y, n and the kinds decide on the card that has the focus; the others work from anywhere in the tab.
  if (!(key in KEYS) || (!rows.length && key !== "u") || (!isHere && !"jku".includes(key))) return;
  event.preventDefault();
  if (isHere) {
    const index = [...$("onto-list").children].findIndex((card) => card.contains(event.target));
    if (index !== current) focusCard(index);
  } else if ("jk".includes(key)) {
    focusCard(current);
    return;
  }
  KEYS[key]();
});

// What will be written.
const decided = () => Object.values(memory.decided).map(({ place: _, ...one }) => one);

// Do something that asks, and say beside the buttons why it failed: the top of the page may be far away.
async function attempt(act) {
  $("onto-wrong").hidden = true;
  try {
    await act();
  } catch (error) {
    $("onto-wrong").textContent = error instanceof TypeError ? t.no_answer : error.message;
    $("onto-wrong").hidden = false;
  }
}

async function see() {
  await asked("plan", { decided: decided() }, (plan) => {
    was = plan.was;
    listed("onto-done", plan.done.length ? plan.done : [t.onto_nothing_new]);
    listed("onto-passed-over", plan.passed_over);
    $("onto-passed").hidden = !plan.passed_over.length;
    const lines = plan.more ? [...plan.lines, filled(t.onto_more_lines, { more: number(plan.more) })] : plan.lines;
    $("onto-diff").replaceChildren(...lines.map((line) => element("span", `${line}\n`, { "+": "added", "-": "gone" }[line[0]] || "")));
    $("onto-write").disabled = !canWrite || !plan.lines.length;
    $("onto-effects").disabled = !plan.lines.length;
    $("onto-plan").hidden = false;
    $("onto-written").hidden = true;
    $("onto-effects-said").hidden = true;
    $("onto-plan").focus();
  });
}

async function write() {
  await asked("write", { decided: decided(), was }, async (done) => {
    memory = { decided: {}, steps: [], written: [...memory.written, ...Object.keys(memory.decided)] };
    remember();
    $("onto-plan").hidden = true;
    $("onto-written-said").textContent = done.said;
    listed("onto-written-done", [...done.done, ...done.passed_over.map((what) => `${t.onto_passed_over} ${what}`)]);
    $("onto-written").hidden = false;
    showProposals();
    $("onto-written").focus();
    await look();
  });
}

// Commands that run beside the page.
async function begin(name, words = {}) {
  await ask(`ontology.${name}`, words);
  running.add(name);
  await jobs();
}

function showJob(name, job) {
  const isRunning = job.code === null;
  const hasErrors = name === "check" && job.code === 1;  // in the file; then the pages are not looked at, as it says
  const failed = !isRunning && job.code !== 0 && !hasErrors;
  const lines = job.said.slice(-LAST_LINES).join("\n");
  const said = job.code === 0 && job.answer ? job.answer.trim() : `${job.answer}${lines}`;
  $(`onto-${name}-said`).textContent = isRunning ? `${t.onto_running}\n${said}` : failed ? `${t.onto_failed}\n${said}` : said;
  $(`onto-${name}-said`).hidden = !isRunning && !said;
  $(`onto-${name}`).disabled = isRunning;
  return !isRunning && !failed;
}

async function ended(name) {
  if (name === "rejudge") await look();
  if (!(name in proposed)) return;
  await asked(FOUND[name], {}, (found) => {
    proposed[name] = found;
    showProposals();
    if (!found.length) $(`onto-${name}-said`).append(`\n${name === "weigh" ? t.onto_no_weights : t.onto_none}`);
    if ([document.body, $(`onto-${name}`)].includes(document.activeElement)) focusCard(current);
  });
}

async function jobs({ isFirst = false } = {}) {
  await asked("jobs", {}, async (found) => {
    for (const name of NAMED) {
      const job = found[name];
      if (!job) continue;
      const before = running.has(name);
      if (job.code === null) running.add(name);
      else running.delete(name);
      if (!before && !isFirst && job.code !== null) continue;
      if (showJob(name, job) && (before || name in proposed)) await ended(name);
    }
  });
}

// All of the tab.
async function look() {
  await asked("look", {}, async (now) => {
    tree = now.tree;
    canWrite = !now.unwritable;
    $("onto-file").textContent = now.file ? filled(t.onto_file, { file: now.file }) : "";
    $("onto-trouble").hidden = !now.trouble;
    $("onto-trouble").replaceChildren(...(now.trouble ? cured(now.trouble) : []));
    $("onto-unwritable").hidden = canWrite;
    $("onto-unwritable").replaceChildren(...(canWrite ? [] : cured(now.unwritable)));
    for (const part of document.querySelectorAll("#ontology .onto")) part.hidden = Boolean(now.trouble);
    $("onto-coverage").hidden = !now.file;
    $("onto-meanings").replaceChildren(...now.verdicts.map((verdict) => {
      const row = element("div");
      const name = element("dt");
      name.append(element("span", t[`verdict_${verdict}`], `verdict ${verdict.replace(" ", "-")}`));
      row.append(name, element("dd", t[`meaning_${verdict}`]));
      return row;
    }));
    showTree();
    if (!now.trouble) await asked("findings", {}, showFindings);
  });
}

$("onto-parts").addEventListener("click", ({ target }) => {
  if (!target.dataset.part) return;
  $(target.dataset.part).scrollIntoView();
  $(target.dataset.part).focus();
});
$("onto-unfold").addEventListener("click", () => showTree(Infinity));
$("onto-fold").addEventListener("click", () => showTree(-OPEN_LEVELS));
$("onto-lacking").addEventListener("click", () => {
  lacking = !lacking;
  $("onto-lacking").setAttribute("aria-pressed", String(lacking));
  showTree(lacking ? Infinity : 0);
});
$("onto-list").addEventListener("focusin", ({ target }) => {
  const index = [...$("onto-list").children].findIndex((card) => card.contains(target));
  if (index >= 0 && index !== current) {
    current = index;
    showCurrent();
  }
});
for (const name of Object.keys(proposed)) {
  $(`onto-${name}`).addEventListener("click", () => tried(async () => {
    await begin(name);
    proposed[name] = [];
    const others = Object.values(proposed).flat().map(keyOf);
    memory.written = memory.written.filter((key) => others.includes(key));  // what was written is not proposed again
    remember();
  }));
}
$("onto-check").addEventListener("click", () => tried(() => begin("check")));
$("onto-effects").addEventListener("click", () => attempt(() => begin("effects", { decided: decided() })));
$("onto-rejudge").addEventListener("click", () => attempt(() => begin("rejudge")));
$("onto-see").addEventListener("click", () => attempt(see));
$("onto-undo").addEventListener("click", undo);
$("onto-write").addEventListener("click", () => attempt(write));

tabs.ontology = {
  async show() {
    memory = JSON.parse(sessionStorage.getItem(memoryName())) || { decided: {}, steps: [], written: [] };
    proposed = { suggest: [], languages: [], weigh: [] };
    place = null;
    running.clear();
    for (const id of ["onto-plan", "onto-written", "onto-wrong", ...NAMED.map((name) => `onto-${name}-said`)]) $(id).hidden = true;
    $("onto-found").replaceChildren();
    showProposals();
    await look();
    await jobs({ isFirst: true });
  },
  async tick() { if (running.size) await jobs(); },
};
}
