"""A calendar in the way of a crawl: cut, known again by the next run, told by `status --traps`, opened by its name."""

import json
import re
from pathlib import Path

import pytest
from test_end_to_end import HOST, ONTOLOGY, crawl, ontocrawl, warc

pytestmark = pytest.mark.slow

MONTHS = 12 * 12
TEAS = 70
NAME = "tea.example:8080/whatson/#/#"
TEA = "Green tea is tea: green tea, black tea. Number {n} was picked in the year {year} on mountain {hill}."


def month(n: int) -> tuple[str, str]:
    later = f'<a href="/whatson/{2026 + (n + 1) // 12}/{(n + 1) % 12 + 1}">next</a>'
    return "What is on", f"<p>Choir, chess, repairs. {n % 12 + 1} of {2026 + n // 12}.</p>{later}"


def tea(n: int) -> tuple[str, str]:
    said = TEA.format(n=n, year=1900 + n * n, hill=n**3)
    return f"Tea {n}", f'<p>{said}</p><a href="/tea/{n + 1}">tea</a>'


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """Crawled in two runs to its end."""
    made = tmp_path_factory.mktemp("traps")
    pages = {"/": ("Start", '<a href="/whatson/2026/1">calendar</a> <a href="/tea/1">tea</a>')}
    pages |= {f"/whatson/{2026 + n // 12}/{n % 12 + 1}": month(n) for n in range(MONTHS)}
    pages |= {f"/tea/{n}": tea(n) for n in range(1, TEAS + 1)}
    (made / "tea.ttl").write_text(ONTOLOGY, encoding="utf-8")
    (made / "seeds.txt").write_text(f"{HOST}/\n", encoding="utf-8")
    (made / "web.warc").write_bytes(warc(pages))
    assert crawl(made, "--max-pages", str(TEAS + 20)).returncode == 0
    done = crawl(made, "--max-pages", "1000")
    assert done.returncode == 0, done.stderr
    (made / "told.txt").write_text(done.stdout, encoding="utf-8")
    return made


def fetched(folder: Path, path: str) -> int:
    cypher = f'MATCH (p:Page {{status: "fetched"}}) WHERE p.url STARTS WITH "{HOST}{path}" RETURN count(*) AS n'
    return int(json.loads(ontocrawl(folder, "query", cypher, "--format", "json").stdout)[0]["n"])


def test_the_crawl_ends_and_says_what_waits_behind_traps(folder):
    told = (folder / "told.txt").read_text("utf-8")
    assert re.search(r"\ncut off +1 links .*\b1 traps: ontocrawl status --traps", told)
    assert fetched(folder, "/tea/") == TEAS
    assert fetched(folder, "/whatson/") == 50


def test_status_tells_traps_and_why(folder):
    told = ontocrawl(folder, "status", "--traps")
    assert told.returncode == 0
    head, _, name, pages, links, _, cure = told.stdout.splitlines()
    assert [re.findall(r"\d+", line) for line in (head, pages)] == [["1", "1"], ["50", "50", "0"]]
    assert name == NAME
    assert re.fullmatch(rf"  1 links .* {HOST}/whatson/2030/3", links)
    assert cure.endswith(f"--allow-trap '{NAME}'")
    (trap,) = json.loads(ontocrawl(folder, "status", "--traps", "--json").stdout)
    assert trap.keys() == {"trap", "kind", "why", "first", "links"}
    assert trap == traps_of(folder)[0]


def test_why_links_were_cut_is_told_in_chinese(folder, monkeypatch):
    monkeypatch.setenv("LANGUAGE", "zh")
    assert "50 个页面，其中 50 个没有新内容" in ontocrawl(folder, "status", "--traps").stdout


def traps_of(folder: Path) -> list[dict]:
    """The traps as the graph has them, which a saved query of Neo4j Browser shows."""
    cypher = "MATCH (t:Trap) RETURN t.name AS trap, t.kind AS kind, t.why AS why, t.first AS first, t.links AS links"
    return json.loads(ontocrawl(folder, "query", cypher, "--format", "json").stdout)


def test_explain_tells_of_a_link_behind_a_trap(folder):
    told = ontocrawl(folder, "explain", f"{HOST}/whatson/2030/3").stdout
    assert f"behind the trap {NAME} (50 pages, 50 of them" in told
    assert "behind the trap" not in ontocrawl(folder, "explain", f"{HOST}/tea/2").stdout


def test_a_trap_is_opened_by_its_name(folder):
    missed = crawl(folder, "--max-pages", "1000", "--allow-trap", "tea.example:8080/whatson/#")
    assert (missed.returncode, fetched(folder, "/whatson/")) == (0, 50)
    opened = crawl(folder, "--max-pages", "1000", "--allow-trap", NAME)
    assert "cut off" not in opened.stdout
    assert fetched(folder, "/whatson/") == MONTHS
    assert ontocrawl(folder, "status", "--traps").stdout == "no traps: nothing was cut off\n"
    assert traps_of(folder) == []


def test_an_address_is_no_trap_s_name(folder):
    refused = crawl(folder, "--max-pages", "1000", "--allow-trap", f"{HOST}/whatson/2026/1")
    assert refused.returncode == 2
    assert f"{HOST}/whatson/2026/1" in refused.stderr
    assert "try: ontocrawl status --traps" in refused.stderr
