"""Orders measured: a web of six pages that can be walked by hand, and the judge of ../shared on the same."""

import lzma
import sys
from pathlib import Path

import pytest

from crawler.simulation.order_measures import (
    area,
    breadth_first,
    found_after,
    ill_ordered,
    link_graph,
    names_linked,
    oracle,
)
from crawler.simulation.recorded_web import RecordedWeb, recorded_archive

A, B, C, D, E, F = (f"w.example/{name}" for name in "abcdef")
LINKS = {A: [B, C], B: [D], C: [E], D: [F], E: [], F: [A]}
PAGES = {
    "w.example/": b'<base href="http://w.example/x/"><a href="one.html">1</a>'
    b"<A class=y HREF='/two?q=1&amp;r=2'>2</A>",
    "w.example/x/one.html": b'<a href="#top">.</a><a href="mailto:a@b">.</a><a href="JavaScript:go()">.</a>'
    b'<a href=/old>moved</a><a href="https://w.example:443/x/one.html">self</a><a href="http://[">broken</a>',
    "w.example/two?q=1&r=2": b'<a href="/%E4%BA%8C">han</a> <a href="/x/one.html#part">1</a><a href="/gone">gone</a>',
    "w.example/二": b'<a href="/ring">ring</a>',
}
MOVED = {"w.example/old": "/", "w.example/ring": "http://w.example/ring"}
BYTES = 12_000_000  # of the real archive


@pytest.fixture(scope="module")
def harvest(shared):
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(shared / "measure"))
        import harvest

        yield harvest
    sys.modules.pop("harvest")


def graph():
    return link_graph({name: names_linked(body, name) for name, body in PAGES.items()}, MOVED)


def test_links_are_those_of_the_bytes_with_redirects_followed():
    assert graph() == {
        "w.example/": ["w.example/x/one.html", "w.example/two?q=1&r=2"],
        "w.example/x/one.html": ["w.example/"],
        "w.example/two?q=1&r=2": ["w.example/二", "w.example/x/one.html"],
        "w.example/二": [],
    }


def test_breadth_first_takes_what_was_found_first():
    assert breadth_first(LINKS, [A, "w.example/none"]) == [A, B, C, D, E, F]


def test_the_oracle_goes_the_shortest_way_to_the_next_target():
    assert oracle(LINKS, {F, E}, [A], 10) == [A, C, E, B, D, F]
    assert oracle(LINKS, {F}, [A], 10) == [A, B, D, F]
    assert oracle(LINKS, {F}, [A], 2) == [A, B]
    assert oracle(LINKS, set(), [A], 10) == []


def test_area_is_the_mean_share_found():
    assert found_after([False, True, True], 4) == [0, 1, 2, 2]
    assert found_after([True, True], 1) == [1]
    assert found_after([], 2) == [0, 0]
    assert area([0, 1, 2, 2], 2) == pytest.approx(5 / 8)
    assert area([0, 0], 0) == 0


def test_pairs_the_wrong_way_round():
    """One of three pairs is wrong; a tie counts half; pages of the same worth are no pair."""
    assert ill_ordered([3, 2, 1], [0.9, 0.5, 0.1]) == 0
    assert ill_ordered([3, 1, 2], [0.9, 0.5, 0.1]) == pytest.approx(1 / 3)
    assert ill_ordered([1, 1], [0.9, 0.5]) == 0.5
    assert ill_ordered([1, 2], [0.5, 0.5]) is None


def test_the_judge_of_shared_sees_the_same_links(harvest):
    pages = {name: (200, "text/html", body, None) for name, body in PAGES.items()}
    pages |= {name: (301, "", b"", location) for name, location in MOVED.items()}
    assert graph() == harvest.link_graph(pages)


@pytest.mark.slow
def test_the_judge_of_shared_measures_a_real_task_alike(harvest, shared, tmp_path):
    task = shared / "webs" / "lohelpzh" / "tasks" / "charts"
    web = part(shared / "webs" / "lohelpzh" / "web.warc.xz", tmp_path / "web")
    pages = harvest.load(str(web))
    theirs = harvest.link_graph(pages)
    recorded = RecordedWeb(recorded_archive(web / "web.warc.xz", tmp_path, lambda text: None))
    ours = recorded.links
    assert folded(theirs) == folded(ours)
    theirs = folded(theirs)
    seeds, targets = ([recorded.page_name(url) for url in lines(task / f"{name}.txt")] for name in ("seeds", "targets"))
    assert breadth_first(ours, seeds) == harvest.breadth_first(theirs, seeds)
    reachable = set(targets) & set(breadth_first(ours, seeds))
    assert len(reachable) > 5
    best = [name in reachable for name in oracle(ours, reachable, seeds, 2000)]
    other = [name in reachable for name in harvest.oracle(theirs, reachable, seeds, 2000)]
    shares = [area(found_after(hits, 2000), len(reachable)) for hits in (best, other)]
    assert shares[0] == pytest.approx(shares[1], abs=0.002)  # their ties fall by chance
    recorded.close()


def part(archive: Path, folder: Path) -> Path:
    """A web of the first records of an archive."""
    with lzma.open(archive) as stream:
        records, _, _ = stream.read(BYTES).rpartition(b"\r\n\r\nWARC/1.")
    folder.mkdir()
    (folder / "web.warc.xz").write_bytes(lzma.compress(records + b"\r\n\r\n", preset=0))
    return folder


def folded(links: dict[str, list[str]]) -> dict[str, list[str]]:
    """Their names keep a trailing index.html."""
    return {fold(page): [fold(target) for target in targets] for page, targets in links.items()}


def fold(name: str) -> str:
    return name.removesuffix("index.html")


def lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").split()
