from dataclasses import replace

from cli.render.live_progress import block, figures, summary, watching
from cli.store_option import DEFAULT_STORE
from crawler.engine.crawl_records import Progress

END = Progress(
    pages=8,
    on_topic=2,
    requests=12,
    errors=3,
    inversions=1,
    seconds=4.0,
    pages_per_s=2.0,
    queued=5,
    best=("http://a.example/\x1b[2J", 0.75),
    errors_by_kind={"dns": 1, "timeout": 2},
    stopped="max-pages",
    copies=6,
)


def test_json_has_exactly_the_promised_figures():
    names = "pages on_topic harvest_rate copies requests errors inversions seconds pages_per_s stopped"
    assert list(figures(END)) == names.split()
    assert figures(END)["harvest_rate"] == 0.25
    assert figures(END)["copies"] == 6


def test_the_summary_tells_errors_by_kind_most_frequent_first():
    assert "3 (this run: timeout 2, dns 1)" in summary(END, DEFAULT_STORE)
    assert "--max-pages is reached" in summary(END, DEFAULT_STORE)
    assert "(harvest rate 25.0%)" in summary(END, DEFAULT_STORE)
    assert "copies      6 (the same pages" in summary(END, DEFAULT_STORE)


def test_what_an_archive_lacks_is_no_error():
    assert "missing" not in summary(END, DEFAULT_STORE)
    told = summary(replace(END, missing=3080), DEFAULT_STORE)
    assert "missing     3,080 addresses of this run are not in the archive" in told


def test_an_interrupted_crawl_says_what_is_kept():
    interrupted = replace(END, stopped="interrupted")
    assert "everything is saved" in summary(interrupted, DEFAULT_STORE)
    assert "nothing is kept" in summary(interrupted, "memory:")


def test_the_summary_tells_of_traps_where_links_wait_behind_some():
    assert "cut off" not in summary(END, DEFAULT_STORE)
    told = "cut off     1,200 links wait behind 2 traps: "
    trapped = replace(END, cut=(1200, 2))
    assert summary(trapped, DEFAULT_STORE).endswith(f"{told}ontocrawl status --traps")
    assert summary(trapped, "./tea").endswith(f"{told}ontocrawl status --store ./tea --traps")
    assert summary(trapped, "memory:").endswith(f"{told}crawl into a --store DIR to see which")


def test_plain_lines_come_now_and_then(monkeypatch, capsys):
    clock = iter([0.0, 1.0, 10.0, 11.0])
    monkeypatch.setattr("cli.render.live_progress.time.monotonic", lambda: next(clock))
    with watching(lambda: 10) as observe:
        for _ in range(3):
            observe(END)
    assert capsys.readouterr().err.splitlines() == [
        "8 of 10 pages, 2 on topic (25.0%), 2.0 pages/s, 5 waiting, 3 errors"
    ]


def test_the_live_block_tells_waits_and_the_time_left():
    now = replace(END, stopped="", awaited=("food.example", 0.61), left=(300.0, 690.0))
    rows = dict(block(now, 100))
    assert rows["now"] == "waits 0.6 s for food.example"
    assert rows["pages"] == "8 of 100  (2.0/s, about 5 to 12 minutes left)"
    rows = dict(block(replace(now, awaited=None, open=3, left=(5.0, 20.0)), 100))
    assert (rows["now"], rows["pages"]) == ("3 requests are open", "8 of 100  (2.0/s, about a minute left)")
    assert "about 30 minutes left" in dict(block(replace(now, left=(1800.0, 1800.0)), 100))["pages"]
    assert "3.0 to 4.5 hours" in dict(block(replace(now, left=(10800.0, 16200.0)), 100))["pages"]


def test_the_live_block_shows_the_best_link_without_control_characters():
    rows = dict(block(END, 10))
    assert rows["pages"] == "8 of 10  (2.0/s)"
    assert rows[""].count("━") == 40
    assert rows["best link"] == "0.750  http://a.example/[2J"
