"""Rows of a table as records of an archive."""

import io

import pytest

from crawler.archive.table_pages import MOST, table_records
from crawler.archive.warc_reading import read_responses


@pytest.mark.parametrize(("size", "is_kept"), [(1, True), (MOST, True), (MOST + 1, False)])
def test_a_row_is_kept_where_it_can_be_read_again(size: int, is_kept: bool) -> None:
    rows = [{"url": "http://a.org/", "html": "x" * size}]
    ((url, packed),) = table_records(rows, lambda _: (), "<urn:uuid:1>")
    assert (url, packed is not None) == ("http://a.org/", is_kept)
    if packed is not None:
        (answer,) = read_responses(io.BytesIO(packed))
        assert len(answer.body) == size
