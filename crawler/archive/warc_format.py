"""Reading and writing WARC records (ISO 28500). Only this file imports fastwarc.

Each record is written as one gzip member, and a request follows its response. A message is stored as it was sent,
except that the HTTP library has removed the transfer coding. The field that named it is stored as
`X-Crawler-Transfer-Encoding` (as in Common Crawl's files), and each file's warcinfo says so. A body that was not read
to its end has WARC-Truncated: `length` (larger than allowed), `time`, `disconnect`, or `unspecified` (not wanted: an
error page, an image, a coding that cannot be undone).
"""

import gzip
import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import IO

from fastwarc.warc import ArchiveIterator, WarcRecord, WarcRecordType

from crawler.ports import Exchange, read_headers

VERSION = "WARC/1.1"
FORMAT = "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/"
LEVEL = 6  # of gzip; its default
AS_CAME = "transfer codings are undone, the field that named one is X-Crawler-Transfer-Encoding"
LARGEST = 20_000_000  # bytes of a record that is read, four times the limit of a page's body; chosen, not measured


@dataclass(frozen=True, slots=True)
class Response:
    """One answer, without transfer coding, with its content coding. `truncated`: the value of WARC-Truncated, or ''."""

    url: str
    status: int
    headers: Mapping[str, str]
    body: bytes
    truncated: str
    software: str


def read_responses(stream: IO[bytes]) -> Iterator[Response]:
    """Every complete response of a file, compressed or not. `software`: the program that wrote the file, by its
    warcinfo.

    Records larger than `LARGEST` are skipped; no page is that large. Raises EOFError if the file ends inside a record,
    OSError if it is damaged.
    """
    software = ""
    kinds = WarcRecordType.response | WarcRecordType.warcinfo
    for record in ArchiveIterator(stream, record_types=kinds, parse_http=False):
        length = record.content_length
        if length > LARGEST:
            continue
        record.freeze()
        if record.content_length < length:
            raise EOFError("it ends in mid-record")
        if record.record_type == WarcRecordType.warcinfo:
            software = _software(record)
        elif record.is_http:
            yield _response(record, software)


def pack_info(name: str, moment: datetime, software: str, description: str = AS_CAME) -> tuple[bytes, str]:
    """The warcinfo record that begins a file, and the record's id."""
    record = _record(WarcRecordType.warcinfo, moment, "application/warc-fields")
    record.headers["WARC-Filename"] = name
    fields = {
        "software": software,
        "format": "WARC File Format 1.1",
        "conformsTo": FORMAT,
        "robots": "obey",
        "description": description,
    }
    record.set_bytes_content("".join(f"{name}: {value}\r\n" for name, value in fields.items()).encode())
    return _packed(record), record.headers["WARC-Record-ID"]


def pack_exchange(exchange: Exchange, info: str) -> bytes:
    """Response and request, two gzip members. `info`: the id of the file's warcinfo record."""
    response = _response_record(exchange, info)
    request = _message(WarcRecordType.request, exchange, info)
    request.headers["WARC-Concurrent-To"] = response.headers["WARC-Record-ID"]
    request.set_bytes_content(_head(exchange.request_line, exchange.request_headers))
    return _packed(response) + _packed(request)


def pack_response(exchange: Exchange, info: str) -> bytes:
    """The response alone, for an answer whose request is unknown."""
    return _packed(_response_record(exchange, info))


def _response_record(exchange: Exchange, info: str) -> WarcRecord:
    response = _message(WarcRecordType.response, exchange, info)
    response.set_bytes_content(_head(exchange.status_line, exchange.headers) + exchange.body)
    if exchange.truncated:
        response.headers["WARC-Truncated"] = exchange.truncated
    return response


def _software(record: WarcRecord) -> str:
    lines = record.reader.read().decode("utf-8", "replace").splitlines()
    return next((line.partition(":")[2].strip() for line in lines if line.lower().startswith("software:")), "")


def _response(record: WarcRecord, software: str) -> Response:
    url = (record.headers.get("WARC-Target-URI") or "").strip("<>")
    truncated = record.headers.get("WARC-Truncated") or ""
    record.parse_http(auto_decode="transfer")
    http = record.http_headers
    return Response(
        url, http.status_code or 200, read_headers(http.items_bytes()), record.reader.read(), truncated, software
    )


def _record(kind: WarcRecordType, moment: datetime, content_type: str) -> WarcRecord:
    record = WarcRecord()
    record.init_headers(record_type=kind)
    record.headers.status_line = VERSION
    record.headers["WARC-Date"] = moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    record.headers["Content-Type"] = content_type
    return record


def _message(kind: WarcRecordType, exchange: Exchange, info: str) -> WarcRecord:
    name = "response" if kind == WarcRecordType.response else "request"
    record = _record(kind, exchange.sent, f"application/http; msgtype={name}")
    record.headers["WARC-Target-URI"] = exchange.url
    record.headers["WARC-Warcinfo-ID"] = info
    return record


def _head(line: bytes, headers: tuple[tuple[bytes, bytes], ...]) -> bytes:
    fields = (b"%s: %s\r\n" % (_field_name(name), value) for name, value in headers)
    return line + b"\r\n" + b"".join(fields) + b"\r\n"


def _field_name(name: bytes) -> bytes:
    return b"X-Crawler-Transfer-Encoding" if name.lower() == b"transfer-encoding" else name


def _packed(record: WarcRecord) -> bytes:
    plain = io.BytesIO()
    record.write(plain, checksum_data=True)
    return gzip.compress(plain.getvalue(), LEVEL, mtime=0)
