"""What a strategy has learned, as bytes for the store: raw numbers, with JSON behind them, compressed once.

    version, line end, zlib of: the raw parts, the JSON; the length of both together and that of the JSON (8 bytes each)

In the JSON a raw part is {"raw": [where it begins, how long it is]}. Parts are compressed one by one as they are met,
an iterator's as it makes them: so of a large memory only the compressed bytes come on top. It is unpacked into one
piece, whose length is known. `VERSION` rises when what is remembered changes its shape or meaning; a strategy's own
layout (`LinkScorer.layout`) stands beside it. Memory of another version is refused before anything of it is taken: half
a memory is worse than none.
"""

import io
import json
import zlib
from collections.abc import Iterator, Mapping
from typing import Any

from ontology.errors import OutdatedMemory

VERSION = 6
_LENGTH = 8
_RAW = "raw"


def pack_memory(memory: Mapping[str, Any], layout: str = "") -> bytes:
    """JSON values and bytes (or views of them, or iterators over them), as bytes."""
    packed = io.BytesIO()
    packed.write(_version(layout))
    raw = _Raw(packed)
    text = json.dumps(memory, ensure_ascii=False, default=raw.aside).encode("utf-8", "surrogatepass")
    raw.aside(text)
    packed.write(raw.packer.flush())
    packed.write(raw.size.to_bytes(_LENGTH) + len(text).to_bytes(_LENGTH))
    return packed.getvalue()


class _Raw:
    """The raw parts as they come."""

    def __init__(self, packed: io.BytesIO) -> None:
        self.packer = zlib.compressobj(1)
        self.size = 0
        self._packed = packed

    def aside(self, part: bytes | memoryview | Iterator[bytes]) -> Any:
        """Put a part behind the others; what stands for it in the JSON."""
        if isinstance(part, Iterator):
            return [self.aside(one) for one in part]
        self._packed.write(self.packer.compress(part))
        self.size += len(part)
        return {_RAW: [self.size - len(part), len(part)]}


def unpack_memory(packed: bytes, layout: str = "") -> Any:
    """What was packed, bytes as views. Raises OutdatedMemory where another version wrote it."""
    version = _version(layout)
    if not packed.startswith(version):
        raise OutdatedMemory(
            "what the strategy had learned was written by another version of ontocrawl, and is left out",
            "the crawl goes on with the places that waiting pages have in the store, and learns anew",
        )
    size, length_of_text = int.from_bytes(packed[-2 * _LENGTH : -_LENGTH]), int.from_bytes(packed[-_LENGTH:])
    raw = memoryview(zlib.decompress(memoryview(packed)[len(version) : -2 * _LENGTH], bufsize=size))

    def back(value: dict[str, Any]) -> Any:
        if len(value) == 1 and _RAW in value:
            start, length = value[_RAW]
            return raw[start : start + length]
        return value

    return json.loads(str(raw[size - length_of_text :], "utf-8", "surrogatepass"), object_hook=back)


def _version(layout: str) -> bytes:
    return f"ontocrawl {VERSION} {layout}".rstrip().encode() + b"\n"
