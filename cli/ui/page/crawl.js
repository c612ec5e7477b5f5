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
    put(row, "why", one.why.join("; "));
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
    put(row, "why", `${number(one.waiting)} ${t.waiting}; ${one.best}`);
    const [raise, ban, letBe] = row.querySelectorAll("button");
    raise.disabled = one.raised || one.banned || now.judging;
    ban.disabled = one.banned;
    letBe.disabled = !(one.banned || one.raised);
  });

  sync($("last"), now.last, (one) => one.url, (row, one) => {
    const tools = element("span", "", "buttons");
    if (one.is_page && now.takes_marks) {
      for (const [text, good] of [[t.good, true], [t.bad, false]]) {
        const made = button(text, () => want({ do: "mark", url: one.url, good: made.getAttribute("aria-pressed") === "true" ? null : good }));
        made.dataset.good = String(good);
        tools.append(made);
      }
    }
    row.append(element("strong", "", "figure"), " ", element("span", "", "address"), element("small", "", "shown"), element("small", "", "why"), tools);
  }, (row, one) => {
    row.classList.toggle("hit", one.on_topic);
    put(row, "figure", one.relevance === null ? t[`status_${one.status}`] || one.status : one.relevance.toFixed(3) + (one.on_topic ? ` ${t.on_topic}` : ""));
    put(row, "address", one.title || one.shown);
    put(row, "shown", one.title ? one.shown : "");
    put(row, "why", one.reasons.slice(0, 4).join("; "));
    for (const made of row.querySelectorAll("button")) {
      made.setAttribute("aria-pressed", String(one.mark !== null && String(one.mark) === made.dataset.good));
    }
  });
}

$("pause").addEventListener("click", () => want({ do: "pause" }));
$("resume").addEventListener("click", () => want({ do: "resume" }));
$("stop").addEventListener("click", () => { if (confirm(t.stop_sure)) want({ do: "stop" }); });
$("judge").addEventListener("click", () => want({ do: "judge" }));

async function look() {
  const now = await ask("crawl.live");
  if (now) {
    show(now);
    return;
  }
  $("state").textContent = t.no_run;
  for (const each of $("crawl-live").querySelectorAll("button")) each.disabled = true;
}

tabs.crawl = { show: look, tick: look };
