"""Rows of addresses by their text."""

import pytest

from semantic.strategies.fused.waiting_addresses import AddressRows

URLS = [f"http://a.example/{number}" for number in range(10)]


def test_every_address_is_found_in_its_row():
    rows = AddressRows(["", *URLS])
    assert [rows[url] for url in URLS] == rows.find(URLS) == list(range(1, 11))
    assert "http://b.example/" not in rows and rows.get("") is None
    with pytest.raises(KeyError):
        rows["http://b.example/"]


def test_a_row_given_up_belongs_to_the_next_address():
    rows = AddressRows(URLS)
    rows.drop(URLS[3])
    rows.put(["http://b.example/"], [3])
    assert (rows.get(URLS[3]), rows["http://b.example/"]) == (None, 3)


def test_a_moved_address_stands_for_the_row_of_another():
    rows = AddressRows(URLS[:2])
    rows.moved[URLS[0]] = 1
    assert (rows[URLS[0]], rows.own(URLS[0]), rows.find([*URLS[:2], "http://b.example/"])) == (1, 0, [1, 1, -1])
