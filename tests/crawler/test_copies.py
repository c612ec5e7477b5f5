"""The same content under other addresses."""

from crawl_fakes import FakeStore, FakeWeb, Run, html, run, start

from crawler.actions import Limits

FAST = Limits(1000, delay=0.0, connections=1)
LONG = " ".join(str(n * n) for n in range(400))  # of its own, long enough for near-copies
NEAR = LONG.replace(" 10000 ", " 10001 ")


def test_an_exact_copy_is_stored_once_and_not_expanded_whatever_its_host() -> None:
    web = FakeWeb(
        html("http://a/", {"http://a/1": 0.9, "http://b/2": 0.8}),
        html("http://a/1", {"http://a/x": 0.5}, text=LONG, relevance=1.0),
        html("http://b/2", {"http://b/x": 0.5}, text=LONG, relevance=1.0),
        html("http://a/x"),
    )
    crawl, store = run(web, "http://a/", limits=FAST)
    assert crawl.pages == ["http://a/", "http://a/1", "http://b/2", "http://a/x"]
    copy = store.pages["http://b/2"]
    assert (copy.status, copy.order, copy.canonical, copy.on_topic) == ("fetched", None, "http://a/1", False)
    assert (copy.content, copy.links, copy.mentions, copy.fingerprint) == (None, (), (), None)
    assert copy.reasons[0] == "a copy of http://a/1"
    assert (store.counters.pages, store.counters.on_topic) == (3, 1)


def test_a_near_copy_is_one_only_where_it_shows_nothing_new() -> None:
    web = FakeWeb(
        html("http://a/", {"http://a/1": 0.9, "http://a/2": 0.8, "http://a/3": 0.7}),
        html("http://a/1", {"http://a/x": 0.5}, text=LONG),
        html("http://a/2", {"http://a/x": 0.5, "http://a/": 0.5}, text=NEAR),
        html("http://a/3", {"http://a/y": 0.5}, text=NEAR + " 7"),
    )
    crawl, store = run(web, "http://a/", limits=FAST)
    assert "http://a/y" in crawl.pages
    assert [store.pages[f"http://a/{n}"].canonical for n in (1, 2, 3)] == [None, "http://a/1", None]
    assert [store.pages[f"http://a/{n}"].order for n in (1, 2, 3)] == [2, None, 3]


def test_a_few_words_make_a_copy_only_with_the_same_title_and_links() -> None:
    web = FakeWeb(
        html("http://a/", {f"http://a/{n}": 1 - n / 10 for n in range(1, 5)}, text="loading"),
        html("http://a/1", {"http://a/x": 0.5}, text="loading", title="a"),
        html("http://a/2", {"http://a/y": 0.5}, text="loading", title="a"),
        html("http://a/3", {"http://a/y": 0.5}, text="loading", title="a"),
        html("http://a/4", {"http://a/y": 0.5}, text="loading", title="b"),
    )
    crawl, store = run(web, "http://a/", limits=FAST)
    assert {"http://a/x", "http://a/y"} <= set(crawl.pages)
    assert [store.pages[f"http://a/{n}"].canonical for n in range(1, 5)] == [None, None, "http://a/2", None]
    assert store.counters.pages == 4


def test_a_crawl_that_goes_on_knows_the_texts_of_before() -> None:
    def web() -> FakeWeb:
        return FakeWeb(
            html("http://a/", {"http://a/1": 0.9, "http://a/2": 0.8, "http://a/3": 0.7, "http://a/4": 0.6}),
            html("http://a/1", text=LONG),
            html("http://a/2", {"http://a/x": 0.5}, text=LONG),
            html("http://a/3", text=NEAR),
            html("http://a/4", text="short", title="a"),
            html("http://a/5", text="short", title="a"),
        )

    _, whole = run(web(), "http://a/", "http://a/5", limits=FAST)
    store = FakeStore("http://a/", "http://a/5")
    for answers in (2, 1, 1, 1, 1, 100):
        session = start(store, FAST)
        Run(session, web(), store=store).steps(answers)
        store.save(session.take_batch())
    assert store.pages == whole.pages
    assert [page.order is None for page in store.pages.values()].count(True) == 3


def test_sessions_in_the_path_do_not_make_a_site_endless() -> None:
    """Every address leads to two more with other session names; the pages behind them are three."""

    class Sessions(FakeWeb):
        def answer(self, url: str):
            if not url.endswith("robots.txt"):
                _, _, _, name, page = url.split("/")
                links = {f"http://a/{name}{n}/{(int(page) + n) % 3}": 0.5 for n in (1, 2)}
                self.answers[url] = [html(url, links, text=f"{LONG[int(page) * 50 :]}")]
            return super().answer(url)

    crawl, store = run(Sessions(), "http://a/s/0", limits=FAST)
    assert crawl.ended == "queue-empty"
    assert store.counters.pages == 3
    assert len(crawl.pages) < 10
