"""A PDF file whose table of objects is lost or wrong: a new one, from where the objects stand.

Files are cut short, edited by scripts that move everything by some bytes, or written by programs that count wrongly.
The objects themselves are mostly whole, and each begins with its number.
"""

import re
from bisect import bisect
from collections.abc import Mapping
from itertools import islice

_OBJECT = re.compile(rb"(?<![0-9])(\d{1,7})[ \t\r\n]{1,4}(\d{1,5})[ \t\r\n]{1,4}obj\b")
_CATALOGUE = re.compile(rb"/Type\s*/Catalog\b")
_PACKED = re.compile(rb"/Type\s*/ObjStm\b")
_ENTRIES = tuple(re.compile(rb"/(%s)\s*(\d{1,7}\s+\d{1,5}\s+R)" % name) for name in (b"Root", b"Info", b"Encrypt"))
_IDENTITY = re.compile(rb"/ID\s*(\[\s*<[^\[\]]{0,200}>\s*\])")
MOST_OBJECTS = 100_000  # chosen, not measured


def with_new_table(body: bytes) -> tuple[bytes, list[int]]:
    """The file with a table of its objects at its end, and the numbers of the objects that contain others."""
    body += b"\nendstream\nendobj\n"  # of the object in which the file was cut
    places: dict[int, tuple[int, int]] = {}
    for found in _OBJECT.finditer(body):
        places[int(found[1])] = (found.start(), int(found[2]))  # of two with one number the later holds
        if len(places) == MOST_OBJECTS:
            break
    entries = [b"/%s %s" % named[-1] for pattern in _ENTRIES if (named := pattern.findall(body))]
    if not any(entry.startswith(b"/Root") for entry in entries):
        entries += [b"/Root %d %d R" % (number, places[number][1]) for number in _with(_CATALOGUE, body, places)][-1:]
    entries += [b"/ID %s" % found for found in _IDENTITY.findall(body)[-1:]]
    rows = (b"%d 1\n%010d %05d n \n" % (number, *places[number]) for number in sorted(places))
    table = b"\nxref\n0 1\n0000000000 65535 f \n%strailer\n<</Size %d %s>>\nstartxref\n%d\n%%%%EOF\n"
    new = table % (b"".join(rows), max(places, default=0) + 1, b" ".join(entries), len(body) + 1)
    return body + new, _with(_PACKED, body, places)


def _with(entry: re.Pattern[bytes], body: bytes, places: Mapping[int, tuple[int, int]]) -> list[int]:
    """The numbers of the objects in which an entry stands."""
    starts = sorted((start, number) for number, (start, _) in places.items())
    ranks = (bisect(starts, (found.start(), 0)) for found in islice(entry.finditer(body), MOST_OBJECTS))
    return list(dict.fromkeys(starts[rank - 1][1] for rank in ranks if rank))
