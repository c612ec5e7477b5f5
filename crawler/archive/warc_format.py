"""Writing WARC records (ISO 28500). Only this file imports fastwarc.

Each record is written as one gzip member, and a request follows its response. A message is stored as it was sent,
except that the HTTP library has removed the transfer coding. The field that named it is stored as
`X-Crawler-Transfer-Encoding` (as in Common Crawl's files), and each file's warcinfo says so. A body that was not read
to its end has WARC-Truncated: `length` (larger than allowed), `time`, `disconnect`, or `unspecified` (not wanted: an
error page, an image, a coding that cannot be undone).
"""

import gzip
import io
from datetime import datetime
from typing import IO, cast

from fastwarc.stream_io import ZstdReader
from fastwarc.warc import WarcRecord, WarcRecordType

from crawler.ports import Exchange

VERSION = "WARC/1.1"
FORMAT = "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/"
LEVEL = 6  # of gzip; its default
AS_CAME = "transfer codings are undone, the field that named one is X-Crawler-Transfer-Encoding"


def open_zstandard(stream: IO[bytes]) -> IO[bytes]:
    """A reader of what Zstandard packed, also with a dictionary at its beginning, as archives have it."""
    return cast("IO[bytes]", ZstdReader(stream))


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


def pack_exchange(exchange: Exchange, info: str) -> tuple[bytes, bytes, str]:
    """Response and request, two gzip members, and the id of the response. `info`: the id of the file's warcinfo
    record.
    """
    response = _response_record(exchange, info)
    request = _message(WarcRecordType.request, exchange, info)
    request.headers["WARC-Concurrent-To"] = response.headers["WARC-Record-ID"]
    request.set_bytes_content(_head(exchange.request_line, exchange.request_headers))
    return _packed(response), _packed(request), response.headers["WARC-Record-ID"]


def pack_conversion(url: str, html: bytes, moment: datetime, refers_to: str, info: str) -> bytes:
    """What a page became by its scripts, as UTF-8. `refers_to`: the id of the record of the page as it was sent."""
    record = _record(WarcRecordType.conversion, moment, "text/html; charset=utf-8")
    record.headers["WARC-Target-URI"] = url
    record.headers["WARC-Refers-To"] = refers_to
    record.headers["WARC-Warcinfo-ID"] = info
    record.set_bytes_content(html)
    return _packed(record)


def pack_response(exchange: Exchange, info: str) -> bytes:
    """The response alone, for an answer whose request is unknown."""
    return _packed(_response_record(exchange, info))


def _response_record(exchange: Exchange, info: str) -> WarcRecord:
    response = _message(WarcRecordType.response, exchange, info)
    response.set_bytes_content(_head(exchange.status_line, exchange.headers) + exchange.body)
    if exchange.truncated:
        response.headers["WARC-Truncated"] = exchange.truncated
    return response


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
