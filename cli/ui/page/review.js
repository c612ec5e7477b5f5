{
const skipped = {};  // store -> addresses
let shown = null;  // the store whose pages are asked about
let left = 0;  // pages of this round that are neither marked nor skipped
const rows = new MarkedRows("review", $("review-list"), settled, async () => {});
rows.skips = true;

async function load() {
  const { rows: found, marks, threshold } = await ask("review.ten", { skipped: skipped[store] || [] });
  const hadFocus = $("review").contains(document.activeElement) || document.activeElement === document.body;
  shown = store;
  rows.clear();
  rows.add(found, (one) => one.reasons.join(t.between));
  for (const row of rows.list.children) {
    row.querySelector(".buttons").append(Object.assign(button(t.skip, () => rows.mark(row, "skipped")), { value: "skip" }));
    row.querySelector("[value=skip]").dataset.mark = "skipped";
  }
  if (hadFocus) rows.current?.focus({ preventScroll: true });
  $("review-state").textContent = found.length ? filled(t.review_state, { marks, threshold }) : t.review_done;
  left = found.length;
  $("review-judge").disabled = !found.length;
  $("review-undo").disabled = true;
}

function settled() {
  const open = [...rows.list.children].filter((row) => row.dataset.mark === "none").length;
  $("review-undo").disabled = !rows.done.length;
  if (left && !open) judge();
  left = open;
}

async function judge() {
  const [all, mine] = [[...rows.list.children], shown];
  const isMarked = all.some((row) => ["good", "bad", "hub"].includes(row.dataset.mark));
  skipped[mine] = [...(skipped[mine] || []), ...all.filter((row) => row.dataset.mark === "skipped").map((row) => row.dataset.key)];
  await tried(() => (isMarked ? judging.begin({}, $("review-changes"), load) : load()));
}

$("review-undo").addEventListener("click", () => rows.undo());
$("review-judge").addEventListener("click", judge);
tabs.review = {
  async show() {
    if (shown !== store) $("review-changes").replaceChildren();
    if (shown !== store || rows.isOld) await load();
    rows.current?.focus({ preventScroll: true });
  },
  tick: () => judging.tick(),
};
}
