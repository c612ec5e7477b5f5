"""`ontology suggest`, as typed: what the pages of a crawl say that its ontology lacks."""

import json

import pytest
from test_end_to_end import HOST, folder, ontocrawl  # noqa: F401 - a fixture

pytestmark = pytest.mark.slow
STORE = ("--store", "ontocrawl-store")


def test_suggest_reads_the_store_and_tells_rows(folder):  # noqa: F811
    told = ontocrawl(folder, "ontology", "suggest", *STORE, "--json", "--most", "3")
    assert told.returncode == 0, told.stderr
    rows = json.loads(told.stdout)
    kinds = {"synonym", "narrower", "related", "layer 1", "layer 2", "misleading", "weight"}
    assert {row["kind"] for row in rows} <= kinds
    assert all(sentence["url"].startswith(HOST) for row in rows for sentence in row["evidence"]["sentences"])


def test_a_store_that_is_none_is_refused(folder):  # noqa: F811
    told = ontocrawl(folder, "ontology", "suggest", "--store", "nowhere")
    assert told.returncode == 2 and not told.stdout
