"""Header fields of an answer, whoever gave it: the network or a WARC file."""

from collections.abc import Iterable, Mapping

REDIRECTS = (300, 301, 302, 303, 307, 308)


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


def is_redirect(status: int, headers: Mapping[str, str]) -> bool:
    """Whether an answer leads elsewhere (RFC 9110, 15.4). A 304 leads nowhere, whatever Location it carries."""
    return status in REDIRECTS and "location" in headers
