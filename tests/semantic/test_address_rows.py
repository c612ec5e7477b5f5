"""Rows of addresses by their text."""

import pytest

from semantic.memory import compact_collections
from semantic.memory.compact_collections import AddressRows

URLS = [f"http://a.example/{number}" for number in range(5000)]


def test_every_address_is_found_while_the_table_grows():
    urls: list[str] = []
    rows = AddressRows(urls)
    for start in range(0, len(URLS), 50):
        urls += URLS[start : start + 50]
        rows.put(list(range(start, start + 50)))
        assert rows[URLS[start]] == start
    assert [rows[url] for url in URLS] == list(range(len(URLS)))
    assert "http://a.example/5000" not in rows and rows.get("") is None
    with pytest.raises(KeyError):
        rows["http://b.example/"]


def test_rows_are_reused_and_the_table_does_not_grow(monkeypatch):
    enter, tables = compact_collections.enter_rows, []
    monkeypatch.setattr(
        compact_collections, "enter_rows", lambda urls, table, rows: tables.append(table) or enter(urls, table, rows)
    )
    urls = URLS[:1000]
    rows = AddressRows(urls)
    for turn in range(1, 40):
        for row in range(0, 1000, 2):
            urls[row] = f"http://b.example/{turn}/{row}"
        rows.put(list(range(0, 1000, 2)))
        assert [rows[url] for url in urls] == list(range(1000))
        assert rows.get(URLS[0]) is None and rows.get(f"http://b.example/{turn - 1}/8") is None
    assert 1000 < len(tables[-1]) <= 8192


def test_a_moved_address_stands_for_the_row_of_another():
    rows = AddressRows(URLS[:2])
    rows.moved[URLS[0]] = 1
    assert (rows[URLS[0]], rows[URLS[1]]) == (1, 1)
