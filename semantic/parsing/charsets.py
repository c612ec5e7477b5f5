"""Which text bytes are, and which bytes a character is in the query of a link: charsets as WHATWG's Encoding standard
names and maps them.

The charset of a page: byte-order mark, else UTF-16 by the zero bytes of its tags, else UTF-8, else the first label
(header, then page) that fits the bytes, else what the bytes look like. Labels lie often: on pages with a false one this
chain read 97 % right, on unlabelled ones 99 %, where header or meta alone got 24 %. So a label of UTF-16 is never
needed and never believed. Bytes that are all ASCII are read alike under every label, and then the label only tells how
queries are sent; two charsets are exceptions and write all characters with ASCII bytes: ISO-2022-JP and HZ.
"""

import codecs
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from urllib.parse import quote

from ontology.syntaxes.text_decoding import BYTE_ORDER_MARKS
from semantic.parsing.html_extraction import charset_named, decode_as, detect

_HEADER_LABEL = re.compile(r"charset\s*=[\s\"']*([\w.:-]{1,40})", re.IGNORECASE | re.ASCII)
_PAGE_LABEL = re.compile(
    rb"<!--.*?(?:-->|\Z)|<(?:meta[^<>]+?charset|\?xml[^<>]+?encoding)\s*=[\s\"']*([\w.:-]{1,40})",
    re.IGNORECASE | re.DOTALL,
)
_TAGS = re.compile(rb"<[^<>]*>")
_LABEL_WITHIN = 65536  # bytes of the page that are searched for labels: some stand after long scripts
_LABELS = 4  # that are tried; chosen, not measured
_DETECT_WITHIN = 65536  # bytes of text, without tags, that the detector looks at
_BAD_SHARE = 0.002  # of the characters: a label that leaves more of them undecodable is not believed
_PRIVATE, _MISREAD_WITHIN = re.compile("[\ue000-\uf8ff]"), 5000  # characters; chosen, not measured
# Of the characters beyond ASCII: what may be undecodable where the detector finds nothing either. Text of another
# charset is hardly ever UTF-8 by accident. Chosen, not measured.
_BROKEN, _BROKEN_UTF8 = 0.1, 1 / 3
_OF_TWO_BYTES = frozenset({"gbk", "gb18030", "big5", "shift_jis", "euc-jp", "euc-kr"})
_LAST = "windows-1252"  # the detector's answer where nothing fits
_SIX = re.compile(rb"[\x80-\xff]{12}")  # characters of two bytes; chosen, not measured
_PIECES = 20  # that are looked at; chosen, not measured
# what servers say when they know nothing: left to the detector
_IGNORED = frozenset({"windows-1252", "x-user-defined"})
_HZ = "hz-gb-2312"  # RFC 1843; browsers refuse to read it
_NAMES = {  # beyond those of WHATWG
    **dict.fromkeys(("cp936", "ms936"), "gbk"),
    **dict.fromkeys(("big5hkscs", "cp950"), "big5"),
    "cp949": "euc-kr",
    **dict.fromkeys(("hz", _HZ), _HZ),
}
_WIDE = {  # beginnings of tags in UTF-16
    "utf-16le": re.compile(rb"<\0[A-Za-z!?/]\0"),
    "utf-16be": re.compile(rb"\0<\0[A-Za-z!?/]"),
}
_WIDE_WITHIN = 4096  # bytes in which such a tag begins; chosen, not measured
_ESCAPE = b"\x1b$"  # begins characters of two bytes in ISO-2022-JP


def decode(body: bytes, content_type: str | None) -> tuple[str, str]:
    """Text of a page and the charset it is in; undecodable bytes become U+FFFD. Never fails."""
    for mark, charset in BYTE_ORDER_MARKS:
        if body.startswith(mark):
            return body[len(mark) :].decode(charset, "replace"), charset.replace("-le", "le").replace("-be", "be")
    wide = _wide(body)
    if wide:
        return body.decode(wide, "replace"), wide
    if body.isascii():
        return _of_ascii(body, content_type)
    text = _as_utf8(body)
    if text is not None:
        return text, "utf-8"
    labels = [charset for charset in islice(_labels(body, content_type), _LABELS) if charset not in _IGNORED]
    for charset in labels:
        text = _read(body, charset)
        if text is not None and text.count("\ufffd") <= _BAD_SHARE * len(text) and not _is_misread(text):
            return text, charset
    sample = _TAGS.sub(b"\n", body)[:_DETECT_WITHIN]
    found = detect(sample) or _LAST
    if found not in _OF_TWO_BYTES:
        found = _of_broken(body, labels) or (found == _LAST and _of_pieces(sample)) or found
    text = _read(body, found)
    return (body.decode("utf-8", "replace"), "utf-8") if text is None else (text, found)


def _is_misread(text: str) -> bool:
    """Whether a text is full of private characters, which is how Big5 looks in GBK."""
    beginning = text[:_MISREAD_WITHIN]
    return len(_PRIVATE.findall(beginning)) > _BAD_SHARE * len(beginning) + 1


def _of_broken(body: bytes, labels: Sequence[str]) -> str | None:
    """UTF-8 or a label that fits all but some bytes, such as a footer in another charset."""
    for charset, most in (("utf-8", _BROKEN_UTF8), *((label, _BROKEN) for label in labels)):
        text = _read(body, charset)
        if text is not None and text.count("\ufffd") <= most * _beyond_ascii(text) and not _is_misread(text):
            return charset
    return None


def _of_pieces(sample: bytes) -> str | None:
    """What most of the texts between tags look like: one bad byte hides a charset of two bytes from the detector."""
    pieces = islice(filter(_SIX.search, sample.split(b"\n")), _PIECES)
    found = Counter(map(detect, pieces)).most_common(1)
    return found[0][0] if found else None


def _wide(body: bytes) -> str | None:
    """Which form of UTF-16 bytes without a mark are in, if any."""
    if b"\0" not in body[:_WIDE_WITHIN]:
        return None
    for charset, tag in _WIDE.items():
        if any(found.start() % 2 == 0 for found in tag.finditer(body, 0, _WIDE_WITHIN)):
            return charset
    return None


def _of_ascii(body: bytes, content_type: str | None) -> tuple[str, str]:
    labels = dict.fromkeys(islice(_labels(body, content_type), _LABELS))
    if _ESCAPE in body:
        labels["iso-2022-jp"] = None
    for charset in labels:
        if (charset == _HZ and b"~{" in body) or (charset == "iso-2022-jp" and _ESCAPE in body):
            text = _read(body, charset)
            if text is not None and text.count("\ufffd") <= _BAD_SHARE * len(text):
                return text, charset
    return body.decode("ascii"), next(iter(labels), "utf-8")


def _as_utf8(body: bytes) -> str | None:
    """UTF-8, cut short inside a character or with a bad byte among twenty good characters at most; else None."""
    try:
        text, consumed = codecs.utf_8_decode(body, "strict", False)
        return text if consumed == len(body) else text + "\ufffd"
    except UnicodeDecodeError:
        text = body.decode("utf-8", "replace")
    return text if text.count("\ufffd") * 20 <= _beyond_ascii(text) else None


def _beyond_ascii(text: str) -> int:
    return len(text) - len(text.encode("ascii", "ignore"))


def _labels(body: bytes, content_type: str | None) -> Iterator[str]:
    """The charsets that header and page name, the header's last one first, as browsers read a repeated field."""
    for label in reversed(_HEADER_LABEL.findall(content_type or "")):
        yield from _named(label)
    for match in _PAGE_LABEL.finditer(body, 0, _LABEL_WITHIN):
        if match[1]:
            yield from _named(match[1].decode("ascii"))


def _named(label: str) -> Iterator[str]:
    charset = _NAMES.get(label.lower()) or charset_named(label)
    if charset and not charset.startswith("utf-16") and charset != "replacement":
        yield charset


def _read(body: bytes, charset: str) -> str | None:
    return body.decode("hz", "replace") if charset == _HZ else decode_as(body, charset)


# Queries. The path of an address is always sent in UTF-8, the query in the charset of the page with the link.
_ADDRESS = re.compile(r"https?://[^\s<>\"'#]++", re.IGNORECASE)
_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]+")
# bytes that a query keeps (URL standard, "special-query percent-encode set")
_KEPT = "".join(sign for sign in map(chr, range(0x21, 0x7F)) if sign not in "\"#'<>")
_BY_PYTHON = {"gb18030": "gb18030", "iso-2022-jp": "iso2022_jp"}  # characters of four bytes, and of bytes with states
_NEVER_WRITTEN = {"big5": range(0x81, 0xA1), "shift_jis": range(0xED, 0xEF)}  # first bytes of what is only read
_WRITTEN_LAST = frozenset("═╞╡╪十卅")  # of two pairs of Big5 that are read alike the last one is written


def query_in(charset: str, query: str) -> str:
    """A query as browsers send it from a page in `charset`: what the charset lacks as `&#number;`, all %-coded.

    URL standard, "percent-encode after encoding". A charset of Unicode, or one that is only read, means UTF-8: then the
    query is left as it is.
    """
    if charset.startswith("utf") or charset == _HZ:
        return query
    return _BEYOND_ASCII.sub(lambda run: _coded(run[0], charset), query)


def address_in(charset: str, address: str) -> str:
    """An address with its query as browsers send it."""
    path, mark, query = address.partition("?")
    return path + mark + query_in(charset, query)


def queries_in(charset: str, text: str) -> str:
    """A list of addresses, a feed or a sitemap say, with their queries as browsers send them."""
    if charset.startswith("utf"):
        return text
    return _ADDRESS.sub(lambda found: address_in(charset, found[0]), text)


def _coded(run: str, charset: str) -> str:
    if charset not in _BY_PYTHON:
        known = _coded_signs(charset)
        return "".join([known.get(sign) or _reference(sign) for sign in run])
    try:
        return quote(run.encode(_BY_PYTHON[charset]), safe=_KEPT)
    except UnicodeEncodeError:
        return "".join([_coded(sign, charset) for sign in run]) if len(run) > 1 else _reference(run)


def _reference(sign: str) -> str:
    return f"%26%23{ord(sign)}%3B"


@lru_cache(maxsize=4)
def _coded_signs(charset: str) -> Mapping[str, str]:
    """Each character beyond ASCII that a charset has, %-coded: one byte or two, as its decoder reads them. Takes 20 ms
    and 4 MB.
    """
    never = _NEVER_WRITTEN.get(charset, ())
    raw = [bytes((byte,)) for byte in range(0x80, 0x100)]
    raw += [bytes((lead, trail)) for lead in range(0x81, 0xFF) if lead not in never for trail in range(0x40, 0xFF)]
    read = (decode_as(b"\n".join(raw), charset) or "").split("\n")
    found: dict[str, bytes] = {}
    for sign, pair in zip(read, raw, strict=False):
        if len(sign) == 1 and sign > "\x7f" and sign != "\ufffd" and (sign not in found or sign in _WRITTEN_LAST):
            found[sign] = pair
    return {sign: quote(pair, safe=_KEPT) for sign, pair in found.items()}
