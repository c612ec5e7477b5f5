{
// The crawl while it runs.
const want = (words) => tried(async () => show(await ask("crawl.want", words)));

function line(id, points, most, from) {
  const across = (pages) => 36 + 604 * (pages - from) / Math.max(1, most - from);
  $(id).setAttribute("points", points.filter(([, y]) => y !== null)
    .map(([x, y]) => `${across(x).toFixed(1)},${(176 - 168 * Math.min(1, Math.max(0, y))).toFixed(1)}`).join(" "));
}

function show(now) {
  $("state").textContent = now.judging ? t.is_judging : now.paused ? t.is_paused : `${now.waits || t.is_running}${now.left}`;
  $("pause").disabled = now.paused;
  $("resume").disabled = !now.paused;
  $("stop").disabled = false;
  $("pages").textContent = `${number(now.pages)} / ${number(now.max_pages)}`;
  $("on-topic").textContent = number(now.on_topic);
  $("harvest").textContent = `${(100 * now.harvest_rate).toFixed(1)} %`;
  $("speed").textContent = now.pages_per_s.toFixed(1);
  $("queued").textContent = number(now.queued);
  $("errors").textContent = number(now.errors);
  $("judge").disabled = !now.to_judge;
  $("judge").textContent = now.to_judge ? `${t.judge_anew} (${now.to_judge})` : t.judge_anew;

  const from = now.curve.length ? now.curve[0][0] : 0;
  const most = now.curve.length ? now.curve[now.curve.length - 1][0] : 1;
  line("line-harvest", now.curve.map(([pages, hits]) => [pages, hits / Math.max(1, pages)]), most, from);
  line("line-promised", now.curve.map(([pages, , promised]) => [pages, promised]), most, from);
  line("line-came", now.curve.map(([pages, , , came]) => [pages, came]), most, from);
  $("curve-from").textContent = number(from);
  $("curve-to").textContent = number(most);

  $("next").textContent = now.next ? `${t.next} ${now.next.priority.toFixed(3)} ${now.next.shown}` : "";
  sync($("under-way"), now.under_way, (one) => one.url, (row) => {
    row.append(element("strong", "", "figure"), " ", element("span", "", "address"), element("small", "", "why"));
  }, (row, one) => {
    put(row, "figure", one.priority.toFixed(3));
    put(row, "address", one.shown);
    put(row, "why", one.why.join(t.between));
  });

  sync($("hosts"), now.hosts, (one) => one.host, (row, one) => {
    const tools = element("span", "", "buttons");
    tools.append(
      button(t.raise_host, () => want({ do: "raise", host: one.host })),
      button(t.ban_host, () => want({ do: "ban", host: one.host })),
      button(t.clear_host, () => want({ do: "clear_host", host: one.host })),
    );
    row.append(element("strong", "", "figure"), " ", element("span", "", "address"), " ", element("small", "", "why"), tools);
  }, (row, one) => {
    put(row, "figure", one.banned ? t.banned : one.raised ? t.raised : one.priority.toFixed(3));
    put(row, "address", one.shown);
    put(row, "why", one.banned ? t.stays_queued : `${number(one.waiting)} ${t.waiting}; ${one.best}`);
    const [raise, ban, letBe] = row.querySelectorAll("button");
    raise.disabled = one.raised || one.banned || now.judging;
    ban.disabled = one.banned;
    letBe.disabled = !(one.banned || one.raised);
  });

  sync($("last"), now.last, (one) => one.url, (row, one) => {
    const tools = element("span", "", "buttons");
    if (now.takes_marks) {
      for (const mark of ["good", "bad", "hub"]) {
        const made = button(t[mark], () => want({ do: "mark", url: one.url, mark: made.getAttribute("aria-pressed") === "true" ? null : mark }));
        made.dataset.mark = mark;
        tools.append(made);
      }
    }
    row.append(element("strong", "", "figure"), " ", element("span", "", "address"), element("small", "", "shown"), element("small", "", "why"), tools);
  }, (row, one) => {
    row.classList.toggle("hit", one.on_topic);
    put(row, "figure", (one.relevance || 0).toFixed(3) + (one.on_topic ? ` ${t.on_topic}` : ""));
    put(row, "address", one.title || one.shown);
    put(row, "shown", one.title ? one.shown : "");
    put(row, "why", one.reasons.slice(0, 4).join(t.between));
    for (const made of row.querySelectorAll("button")) made.setAttribute("aria-pressed", String(one.mark === made.dataset.mark));
  });
}

$("pause").addEventListener("click", () => want({ do: "pause" }));
$("resume").addEventListener("click", () => want({ do: "resume" }));
$("stop").addEventListener("click", () => { if (confirm(t.stop_sure)) want({ do: "stop" }); });
$("judge").addEventListener("click", () => want({ do: "judge" }));

// What was not fetched, and why.
async function showLedger() {
  const { groups, addresses } = await ask("crawl.ledger");
  const rows = groups.flatMap((group) => [
    ledgerRow(group.addresses, group.group, "", "head"),
    ...group.rows.map((row) => ledgerRow(row.addresses, row.what, row.shown, "")),
  ]);
  $("ledger").replaceChildren(...rows, ledgerRow(addresses, t.ledger_sum, "", "head"));
}

function ledgerRow(addresses, what, example, kind) {
  const row = element("tr", "", kind);
  row.append(element("td", number(addresses)), element(kind ? "th" : "td", what, "text"), element("td", example, "text address"));
  return row;
}

// Beginning a crawl, or going on with one.
const form = () => ({
  ontology: $("ontology-file").value.trim(),
  seeds: $("seeds").value.split("\n"),
  name: $("crawl-name").value.trim(),
  pages: $("pages-wanted").valueAsNumber || null,
  patience: Number.isNaN($("patience").valueAsNumber) ? null : $("patience").valueAsNumber,
  scope: $("scope").value,
  more: $("more-options").value,
});

async function showForm() {
  const { folder, ontologies } = await ask("crawl.offered");
  $("folder").textContent = filled(t.crawl_name, { folder });
  $("ontologies").replaceChildren(...ontologies.map((file) => Object.assign(element("option"), { value: file })));
}

function showChecks(checks) {
  for (const [name, job] of Object.entries(checks)) {
    const said = job ? `${job.answer}\n${job.said.join("\n")}`.trim() : "";
    $(`said-${name}`).textContent = job && job.code === null ? `${t.checking} ${said}` : said;
  }
  return Object.values(checks).every((job) => !job || job.code !== null);
}

async function check() {
  $("checks").hidden = false;
  let checks = await ask("crawl.check", form());
  while (!showChecks(checks)) {
    await new Promise((done) => { setTimeout(done, EVERY); });
    checks = await ask("crawl.checked");
  }
}

// Wait until a crawl that was asked for runs, then look at it.
async function waitFor(begun) {
  say(t.beginning);
  for (;;) {
    const { is_running: isRunning, job } = await ask("crawl.begun", { at: begun });
    if (isRunning || (job && job.code === 0)) break;
    if (job && job.code !== null) throw new Error(filled(t.not_begun, { said: job.said.slice(-6).join(" ") }));
    await new Promise((done) => { setTimeout(done, EVERY); });
  }
  store = begun;
  await showCrawls();
  chooseCrawl(begun);
}

let ran = false;  // when it was looked at last

async function look() {
  const now = store ? await ask("crawl.live") : { state: null, is_running: false };
  $("crawl-live").classList.toggle("ended", !now.is_running);
  $("go-on").hidden = now.is_running || !store;
  if (now.state) {
    show(now.state);
  } else {
    $("state").textContent = now.is_running ? t.is_busy : store ? t.no_run : "";
    for (const name of ["pause", "resume", "stop"]) $(name).disabled = true;
  }
  if (ran && !now.is_running) {
    await showCrawls();
    if ($("ledger-box").open) await showLedger();
  }
  ran = now.is_running;
}

$("check").addEventListener("click", () => tried(check));
$("begin").addEventListener("submit", (event) => {
  event.preventDefault();
  tried(async () => waitFor((await ask("crawl.begin", form())).store));
});
$("ontology-file").addEventListener("change", () => {
  if (!$("crawl-name").value) $("crawl-name").value = $("ontology-file").value.replace(/^.*[\\/]|\.\w+$/g, "");
});
$("go-on-now").addEventListener("click", () => tried(async () => {
  await waitFor((await ask("crawl.go_on", { pages: $("go-on-pages").valueAsNumber || null })).store);
}));
$("ledger-box").addEventListener("toggle", () => { if ($("ledger-box").open) tried(showLedger); });

tabs.crawl = {
  async show() {
    await showForm();
    $("begin-box").open = !store;
    if (!store) return;
    const chosen = crawls.find((one) => one.store === store);
    if (chosen) $("go-on-pages").value = chosen.pages + 500;
    await look();
    if ($("ledger-box").open) await showLedger();
  },
  tick: look,
};
}
