"""The documentation says what the code says: pages made from it, exit codes, and the figures of politeness."""

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cli.documented import DOCS, pages
from cli.exits import MEANINGS
from cli.main import app
from crawler.engine import crawl_records
from crawler.fetch import client, transfers
from crawler.politeness import robots_and_pace

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("name", list(pages()))
def test_a_page_made_from_the_code_is_up_to_date(name):
    """Else: make docs."""
    assert (DOCS / name).read_text(encoding="utf-8") == pages()[name]


def test_help_tells_every_exit_code_as_the_page_does():
    told = CliRunner().invoke(app, ["--help"]).output
    for code, meaning in MEANINGS.items():
        assert re.search(rf"^ +{code:d} +{re.escape(meaning.said)}$", told, re.MULTILINE)


FIGURES = {
    "Crawl-delay is obeyed up to": robots_and_pace.CRAWL_DELAY_CAP,
    "Retry-After is obeyed up to": robots_and_pace.RETRY_AFTER_CAP,
    "a slow host is asked no slower than every": robots_and_pace.SLOW_CAP,
    "an address without an answer is asked again": robots_and_pace.RETRIES,
    "all tries of one address together take at most": robots_and_pace.TRYING,
    "robots.txt is read up to": robots_and_pace.MAX_BYTES,
    "redirects of a robots.txt are followed": robots_and_pace.MAX_REDIRECTS,
    "its rules are used for": robots_and_pace.KEEP_SECONDS,
    "redirects of a page are followed": crawl_records.MAX_REDIRECTS,
    "a page is read up to": client.MAX_BYTES,
    "a connection is waited for": transfers.CONNECT_SECONDS,
    "silence is waited for": transfers.SILENT_SECONDS,
}


def test_the_page_of_politeness_has_the_code_s_own_figures():
    text = (DOCS / "politeness.md").read_text(encoding="utf-8")
    told = dict(re.findall(r"^\| ([^|]+?) \| ([\d,]+) [^|]*\|", text, re.MULTILINE))
    assert {name: int(value.replace(",", "")) for name, value in told.items()} == {
        name: int(value) for name, value in FIGURES.items()
    }
    assert client.USER_AGENT.partition("/")[0] == robots_and_pace.AGENT
    assert f"`{robots_and_pace.AGENT}`" in text
