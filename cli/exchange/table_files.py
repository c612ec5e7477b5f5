"""Tables as files: CSV for Excel, JSON lines, and Parquet. Only this file imports pyarrow.

CSV is UTF-8 with a byte-order mark, by which Excel knows it. A cell that would be a formula has an apostrophe before
it.
"""

import csv
import json
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from typing import Any

from cli.inputs.given_files import encoding_of
from cli.render.answer_tables import csv_cell
from cli.render.language import later, tr
from graphdb.record.batch_rows import parts
from graphdb.record.exported_record import Column, Row
from ontology.errors import SettingsError
from ontology.file_failures import refusal

# Microsoft's "Excel specifications and limits": rows of a sheet, characters in a cell.
EXCEL_ROWS, EXCEL_CELL = 1_048_576, 32_767
AT_ONCE = 5000  # rows of one group in a Parquet file
BETWEEN = " | "  # several texts in one cell of CSV
PARQUET_CURE = later(
    "install it: pip install 'ontocrawl[parquet]', or pipx inject ontocrawl pyarrow; csv and jsonl need nothing"
)


def write_csv(path: Path, columns: Sequence[Column], rows: Iterable[Row]) -> int:
    """A line of names, then a line for each row. Gives the number of cells that are longer than Excel can hold."""
    too_long = 0
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([column.name for column in columns])
        for row in rows:
            cells = [_cell(row[column.name]) for column in columns]
            too_long += sum(isinstance(cell, str) and len(cell) > EXCEL_CELL for cell in cells)
            writer.writerow(cells)
    return too_long


def write_jsonl(path: Path, columns: Sequence[Column], rows: Iterable[Row]) -> None:
    """An object for each row, one a line."""
    with path.open("w", encoding="utf-8") as file:
        for row in rows:
            told = {column.name: row[column.name] for column in columns}
            file.write(json.dumps(told, ensure_ascii=False).replace("\u2028", "\\u2028").replace("\u2029", "\\u2029"))
            file.write("\n")


def write_parquet(path: Path, columns: Sequence[Column], rows: Iterable[Row]) -> None:
    """Columns with their types: texts are lists of strings, moments have microseconds and are UTC."""
    arrow, parquet = _pyarrow()
    kinds = {
        "text": arrow.string(),
        "whole": arrow.int64(),
        "number": arrow.float64(),
        "truth": arrow.bool_(),
        "moment": arrow.timestamp("us", tz="UTC"),
        "texts": arrow.list_(arrow.string()),
    }
    schema = arrow.schema([(column.name, kinds[column.kind]) for column in columns])
    with parquet.ParquetWriter(path, schema) as writer:
        for some in parts(rows, AT_ONCE):
            told = [{column.name: _typed(column, row[column.name]) for column in columns} for row in some]
            writer.write_batch(arrow.RecordBatch.from_pylist(told, schema=schema))


def _typed(column: Column, value: Any) -> Any:
    if column.kind != "moment" or value is None:
        return value
    moment = datetime.fromisoformat(value)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def check_parquet() -> None:
    """Raise SettingsError where Parquet cannot be written here."""
    _pyarrow()


def _pyarrow() -> tuple[Any, Any]:
    try:
        import pyarrow  # type: ignore[import-untyped]
        from pyarrow import parquet
    except ImportError as error:
        raise SettingsError("Parquet needs pyarrow, which is not installed", tr(PARQUET_CURE)) from error
    return pyarrow, parquet


def _cell(value: Any) -> object:
    if isinstance(value, bool):
        return "true" if value else "false"
    return csv_cell(BETWEEN.join(value) if isinstance(value, list) else value)


def read_csv(path: Path) -> Iterator[dict[str, str]]:
    """The rows of a CSV file by their names, without what `write_csv` put before formulas. Semicolons or tabs between
    cells are known by the first line. Raises SettingsError for what is no CSV in UTF-8, UTF-16 or GB18030.
    """
    try:
        csv.field_size_limit(2**27)  # a page's text in one cell
        with path.open(encoding=encoding_of(path), newline="") as file:
            head = file.readline().removeprefix("\ufeff")
            mark = max(",;\t", key=head.count)
            for row in csv.DictReader(chain([head], file), delimiter=mark):
                yield {name.strip().lower(): _plain(cell or "") for name, cell in row.items() if name}
    except OSError as error:
        raise SettingsError(*refusal(path, error, "give a file that can be read")) from error
    except UnicodeDecodeError as error:
        raise SettingsError(*refusal(path, error, "save it as 'CSV UTF-8' (Excel has that)")) from error
    except csv.Error as error:
        raise SettingsError(tr("{path} is no CSV: {error}", path=path, error=error), "save it again as CSV") from error


def _plain(cell: str) -> str:
    return cell[1:] if cell.startswith("'") and csv_cell(cell[1:]) == cell else cell
