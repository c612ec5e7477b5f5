// What the tabs of results and review share: pages as rows that keys and buttons mark, and judging again by the marks.
class MarkedRows {
  // `settled(row)`: called when a page was marked or skipped, or that was taken back. `more()`: shows further rows.
  constructor(tab, list, settled, more) {
    Object.assign(this, { list, settled, more, done: [], last: Promise.resolve() });
    MarkedRows.of[tab] = this;
    list.addEventListener("focusin", (event) => this.choose(event.target.closest("li")));
  }

  get current() { return this.list.querySelector(".current"); }

  clear() {
    this.list.replaceChildren();
    Object.assign(this, { done: [], isOld: false });
  }

  add(items, why) {
    this.list.append(...items.map((one) => this.row(one, why(one))));
    if (!this.current && this.list.firstChild) this.choose(this.list.firstChild);
  }

  row(one, why) {
    const row = element("li");
    row.dataset.key = one.url;
    row.tabIndex = -1;
    const title = linkTo(one.url, one.title);
    title.classList.add("title");
    const kind = one.kind === "listing" ? t.listing : "";
    const said = element("p", "", "said");
    said.append(...one.said.map(([piece, isWord]) => (isWord ? element("mark", piece) : piece)));
    const tools = element("span", "", "buttons");
    for (const mark of ["good", "bad", "hub"]) {
      const made = button(t[mark], () => this.mark(row, row.dataset.mark === mark ? "none" : mark));
      made.dataset.mark = mark;
      tools.append(made);
    }
    row.append(title, element("small", [one.relevance.toFixed(3), one.site, one.published, kind].filter(Boolean).join(" · ")),
      said, Object.assign(element("small", why, "why"), { title: why }), tools);
    this.show(row, one.marked || "none");
    return row;
  }

  show(row, mark) {
    row.dataset.mark = mark;
    for (const kind of ["good", "bad", "hub", "skipped"]) row.classList.toggle(kind, kind === mark);
    for (const made of row.querySelectorAll("button")) made.setAttribute("aria-pressed", String(made.dataset.mark === mark));
  }

  choose(row) {
    if (!row || row === this.current) return;
    if (this.current) {
      this.current.tabIndex = -1;
      this.current.classList.remove("current");
    }
    row.classList.add("current");
    row.tabIndex = 0;
  }

  async move(step) {
    const row = this.current;
    if (!row) return;
    const isLast = step > 0 && !row.nextElementSibling;
    if (isLast) await this.more();
    const next = step > 0 ? row.nextElementSibling : row.previousElementSibling;
    (next || row).focus();
    (next || row).scrollIntoView({ block: "nearest" });
  }

  // Show the mark at once, and keep it; marks are sent one after the other. A skipped page has none.
  mark(row, mark) {
    const before = row.dataset.mark;
    if (mark === before) return this.last;
    this.done.push({ row, before });
    return this.put(row, mark, before);
  }

  put(row, mark, before) {
    this.show(row, mark);
    const given = (one) => (one === "skipped" ? "none" : one);
    if (given(mark) !== given(before)) {
      judging.note(row.dataset.key, given(mark), given(before));
      MarkedRows.outdate(this);
      this.last = this.last.then(() => tried(() => ask("results.mark", { url: row.dataset.key, mark: given(mark) }).catch((error) => {
        this.show(row, before);
        throw error;
      })));
    }
    this.settled(row);
    return this.last;
  }

  undo() {
    const last = this.done.pop();
    if (!last) return;
    this.put(last.row, last.before, last.row.dataset.mark);
    last.row.focus();
    this.settled(last.row);
  }

  key(event) {
    const row = this.current;
    if (!row) return;
    const at = event.target === row || event.target === document.body;
    const marks = { g: "good", b: "bad", h: "hub", ...(this.skips && { s: "skipped" }) };
    const acts = {
      u: () => this.undo(),
      o: () => row.querySelector("a").click(),
      j: () => this.move(1),
      k: () => this.move(-1),
      ...(at && { Enter: () => row.querySelector("a").click(), ArrowDown: () => this.move(1), ArrowUp: () => this.move(-1) }),
    };
    if (event.key in marks) this.mark(row, marks[event.key]);
    else if (event.key in acts) acts[event.key]();
    else return;
    event.preventDefault();
    if (event.key in marks && this.list.contains(row)) this.move(1);
  }
}
MarkedRows.of = {};  // by tab

// What other tabs show is loaded again when they open.
MarkedRows.outdate = (mine) => {
  for (const rows of Object.values(MarkedRows.of)) if (rows !== mine) rows.isOld = true;
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea")) return;
  MarkedRows.of[open]?.key(event);
});

const judging = {
  marks: new Map(),  // address -> its mark when all pages were judged last, where it has another one now
  waits: null,  // the store, and what to do when it is judged

  note(url, mark, before) {
    if (this.marks.get(url) === mark) this.marks.delete(url);
    else if (!this.marks.has(url)) this.marks.set(url, before);
  },

  // `box`: where it is said; `done()`: called when it has ended.
  async begin(words, box, done) {
    for (const rows of Object.values(MarkedRows.of)) await rows.last;
    const { by_crawl: byCrawl } = await ask("results.judge", words);
    this.marks.clear();
    box.replaceChildren(element("p", byCrawl ? t.judging_by_crawl : t.judging_now));
    if (byCrawl) await done();
    else this.waits = { store, box, done };
  },

  async tick() {
    if (!this.waits) return;
    const waits = this.waits;
    try {
      const { busy, changes } = await ask("results.judged", { store: waits.store });
      if (busy) return;
      this.tell(waits, changes);
    } catch (error) {
      waits.box.replaceChildren(element("p", error.message));
      this.waits = null;
      throw error;
    }
    this.waits = null;
    MarkedRows.outdate(null);
    if (waits.store === store) await waits.done();
  },

  tell({ box, done }, changes) {
    const { on_topic: now, pages, before, likely } = changes;
    box.replaceChildren(element("p", filled(t.results_now, { on_topic: number(now), pages: number(pages), before: number(before) })));
    for (const [text, name] of [[t.results_came, "gained"], [t.results_went, "lost"]]) {
      if (!changes[name].length) continue;
      const part = element("details");
      part.append(element("summary", filled(text, { number: number(changes[`${name}_pages`]) })), pagesOf(changes[name]));
      box.append(part);
    }
    if (!changes.gained.length && !changes.lost.length) box.append(element("p", t.results_same));
    if (!likely) return;
    const [border, reach] = likely;
    if (reach === now) {
      box.append(element("p", t.likely_holds));
      return;
    }
    const advice = element("p", filled(t.likely_from, { border, number: number(reach) }) + " ");
    advice.append(button(filled(t.use_threshold, { border }), () => tried(() => this.begin({ threshold: border }, box, done)), "use"));
    box.append(advice);
  },
};

function pagesOf(pages) {
  const list = element("ul", "", "pages");
  list.append(...pages.map((page) => {
    const item = element("li", `${page.relevance.toFixed(3)} `);
    item.append(linkTo(page.url, page.title));
    return item;
  }));
  return list;
}

{
const AT_ONCE = 50;  // rows; chosen, not measured
const IN_A_FILE = 200;  // results that are asked for at once when they are saved; about .15 s
let pages = [];  // the numbers of all results that fit
let read = 0;  // how many of them are shown
let concept = "";  // its IRI
let loaded = null;  // the store whose results are shown
let loading = null;
let scale = null;
let turn = 0;  // of loading: what is late is not shown

const rows = new MarkedRows("results", $("results-list"), changed, more);
const facets = ["site", "kind", "language", "marked"];
const choice = () => ({
  concept, is_new: $("facet-new").checked, ...Object.fromEntries(facets.map((name) => [name, $(`facet-${name}`).value])),
});
const isOpen = () => !concept && !$("facet-new").checked && facets.every((name) => !$(`facet-${name}`).value);

function changed() {
  $("results-undo").disabled = !rows.done.length;
  $("results-judge").textContent = judging.marks.size ? `${t.judge_by_marks} (${judging.marks.size})` : t.judge_by_marks;
}

function more() {
  loading ||= tried(readMore).then(() => { loading = null; });
  return loading;
}

async function readMore() {
  const mine = turn;
  const some = pages.slice(read, read + AT_ONCE);
  if (!some.length) return;
  const found = await ask("results.rows", { pages: some });
  if (mine !== turn) return;
  rows.add(found, (one) => one.why);
  read += some.length;
  $("results-more").hidden = read >= pages.length;
}

function options(name, found) {
  const list = $(`facet-${name}`);
  const chosen = list.value;
  const made = found.map(([value, text, results]) => Object.assign(element("option", results === undefined ? text : `${text} (${number(results)})`), { value }));
  list.replaceChildren(Object.assign(element("option", t.facet_all), { value: "" }), ...made);
  list.value = chosen;
  if (list.value !== chosen && chosen) {
    list.append(Object.assign(element("option", `${chosen} (0)`), { value: chosen }));
    list.value = chosen;
  }
}

async function load() {
  const mine = turn += 1;
  if (loaded !== store) {
    forget();
    judging.marks.clear();
    $("results-changes").replaceChildren();
  }
  const found = await ask("results.found", choice());
  if (mine !== turn) return;
  await loading;
  rows.clear();
  [pages, read, loaded] = [found.pages, 0, store];
  $("results-count").textContent = pages.length ? filled(t.results_found, { number: number(pages.length) }) : t.results_none;
  $("results-all").hidden = isOpen();
  $("results-more").hidden = true;
  options("site", found.facets.site);
  options("kind", found.facets.kind.map(([value, text, results]) => [value, t[`kind_${value}`] || text, results]));
  options("language", found.facets.language);
  options("marked", [["good", t.good], ["bad", t.bad], ["hub", t.hub], ["none", t.facet_unmarked]]);
  changed();
  await more();
  const concepts = await ask("results.concepts", choice());
  if (mine === turn) showConcepts(concepts);
  if ($("border-box").open) await showScale();
}

function forget() {
  concept = "";
  for (const name of facets) $(`facet-${name}`).value = "";
  $("facet-new").checked = false;
}

// The tree of concepts: what is below one is made when it is unfolded.
function showConcepts(concepts) {
  const known = new Map(concepts.map((one) => [one.iri, one]));
  const below = new Set(concepts.flatMap((one) => one.narrower.filter((iri) => iri !== one.iri)));
  const tops = concepts.filter((one) => !below.has(one.iri));
  $("facet-concept").replaceChildren(...(tops.length ? tops : concepts).map((one) => branch(one, known)));
}

function branch(one, known) {
  const row = element("li");
  const chooses = button(one.label, () => {
    concept = concept === one.iri ? "" : one.iri;
    tried(load);
  });
  chooses.setAttribute("aria-pressed", String(concept === one.iri));
  const count = element("span", ` ${number(one.results)}`, "count");
  const narrower = concepts(one, known);
  if (!narrower.length) {
    const leaf = element("div", "", "leaf");
    leaf.append(chooses, count);
    row.append(leaf);
    return row;
  }
  const part = element("details");
  const head = element("summary");
  head.append(chooses, count);
  part.append(head);
  const unfold = () => {
    const list = element("ul");
    list.append(...narrower.map((each) => branch(each, known)));
    part.append(list);
  };
  if (holds(one, known, new Set())) {
    part.open = true;
    unfold();
  } else {
    part.addEventListener("toggle", unfold, { once: true });
  }
  row.append(part);
  return row;
}

const concepts = (one, known) => one.narrower.map((iri) => known.get(iri)).filter((each) => each && each !== one)
  .sort((a, b) => b.results - a.results);

// Whether the chosen concept is below this one.
function holds(one, known, seen) {
  if (!concept || seen.has(one.iri)) return false;
  seen.add(one.iri);
  return concepts(one, known).some((each) => each.iri === concept || holds(each, known, seen));
}

// The threshold: what comes and goes with another one.
let movedIn = null;  // the store in which the slider was moved and not used yet: there it stays where it is

async function showScale() {
  scale = await ask("results.scale");
  $("border-box").hidden = !scale;
  if (!scale) return;
  if (movedIn !== store) $("border").value = scale.threshold;
  moveBorder();
}

function moveBorder() {
  const at = $("border").valueAsNumber;
  const isInForce = Math.abs(at - scale.threshold) < 0.005;
  const border = isInForce ? scale.threshold : at;
  const reaching = isInForce ? scale.reaching
    : scale.parts.reduce((sum, [part, some]) => sum + (part >= Math.round(border * scale.bins) ? some : 0), 0);
  $("border-at").textContent = border.toFixed(2) + (isInForce ? ` (${t.in_force})` : "");
  $("border-count").textContent = filled(t.at_threshold, { number: number(reaching), pages: number(scale.pages), border: border.toFixed(2) });
  $("border-come").textContent = reaching > scale.reaching ? filled(t.pages_come, { number: number(reaching - scale.reaching) }) : "";
  $("border-go").textContent = reaching < scale.reaching ? filled(t.pages_go, { number: number(scale.reaching - reaching) }) : "";
  $("border-use").textContent = filled(t.use_threshold, { border: border.toFixed(2) });
  $("border-use").disabled = isInForce;
  $("border-in").replaceChildren(...pagesOf(scale.samples.filter((page) => page.relevance >= border).slice(0, 5)).children);
  $("border-out").replaceChildren(...pagesOf(scale.samples.filter((page) => page.relevance < border).slice(-5).reverse()).children);
}

// Load the list again, unless the pointer or the focus is in it: then it stays until a person wants it.
const loadUnlessHeld = async () => {
  const list = $("results-list");
  if (list.matches(":hover") || list.contains(document.activeElement)) return;
  await load();
};

async function save(form) {
  const parts = form === "csv" ? ["\ufeff"] : [];  // by which Excel knows UTF-8
  const [wanted, mine] = [pages, turn];
  for (let done = 0; done < wanted.length; done += IN_A_FILE) {
    say(filled(t.exporting, { done: number(done), number: number(wanted.length) }));
    const part = await ask("results.export", { form, pages: wanted.slice(done, done + IN_A_FILE), first: !done });
    if (mine !== turn) return;
    parts.push(part.text, "\n");
  }
  const link = element("a");
  link.href = URL.createObjectURL(new Blob(parts, { type: "text/plain" }));
  link.download = `results.${form}`;
  link.click();
  URL.revokeObjectURL(link.href);
  say(filled(t.exported, { number: number(wanted.length) }));
}

const judge = (words) => tried(() => judging.begin(words, $("results-changes"), loadUnlessHeld).then(changed));
for (const name of [...facets, "new"]) $(`facet-${name}`).addEventListener("change", () => tried(load));
$("results-all").addEventListener("click", () => { forget(); tried(load); });
$("results-again").addEventListener("click", () => tried(load));
$("results-more").addEventListener("click", more);
$("results-undo").addEventListener("click", () => rows.undo());
$("results-judge").addEventListener("click", () => judge({}));
$("border").addEventListener("input", () => { movedIn = store; moveBorder(); });
$("border-use").addEventListener("click", () => { movedIn = null; judge({ threshold: $("border").valueAsNumber }); });
$("border-box").addEventListener("toggle", () => { if ($("border-box").open) tried(showScale); });
for (const made of document.querySelectorAll(".export")) made.addEventListener("click", () => tried(() => save(made.dataset.form)));
new IntersectionObserver((seen) => { if (seen.some((one) => one.isIntersecting)) more(); }).observe($("results-more"));
$("results-choice").open = matchMedia("(min-width: 60rem)").matches;

tabs.results = {
  async show() { if (loaded !== store || rows.isOld) await load(); },
  tick: () => judging.tick(),
};
}
