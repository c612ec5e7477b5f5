"""Header fields of an answer, whoever gave it: the network or a WARC file."""

from collections.abc import Iterable


def read_headers(raw: Iterable[tuple[bytes, bytes]]) -> dict[str, str]:
    """Names in lower case, repeated ones joined by a comma (RFC 9110, 5.3); values as UTF-8, else Latin-1.

    X-Robots-Tag by a line feed: a robot that one names is not meant by the next.
    """
    headers: dict[str, str] = {}
    for name, value in raw:
        key, text = name.decode("latin-1").lower(), _text(value)
        between = "\n" if key == "x-robots-tag" else ", "
        headers[key] = f"{headers[key]}{between}{text}" if key in headers else text
    return headers


def _text(value: bytes) -> str:
    try:
        return value.decode()
    except UnicodeDecodeError:
        return value.decode("latin-1")
