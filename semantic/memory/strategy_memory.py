"""What a strategy has learned, as bytes for the store: raw parts followed by JSON, compressed together.

    version, line end, zlib(raw parts, JSON), length of both before compression, length of the JSON (8 bytes each)

In the JSON a raw part is {"raw": [offset, length]}. Parts are compressed one by one as they are met, an iterator's
parts as it makes them, and a function is called when its turn comes, so that packing a large memory needs little more
than the compressed bytes. It is unpacked into one buffer of known size. `VERSION` rises when the stored values change
their shape or meaning; a strategy's own layout (`LinkScorer.layout`) is written beside it. Memory of another version is
refused before anything of it is used, because half a memory is worse than none.
"""

import io
import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ontology.errors import OutdatedMemory
from semantic.memory.compression import compressor, decompress

VERSION = 8  # of the format: see the module's text
_LENGTH = 8  # bytes of a length
_RAW = "raw"


def pack_memory(memory: Mapping[str, Any], layout: str = "") -> bytes:
    """Pack JSON values, bytes, views of bytes, iterators over bytes, and functions that give any of these."""
    packed = io.BytesIO()
    packed.write(_head(layout))
    raw = _Raw(packed)
    text = json.dumps(memory, ensure_ascii=False, default=raw.aside).encode("utf-8", "surrogatepass")
    raw.aside(text)
    packed.write(raw.packer.flush())
    packed.write(raw.size.to_bytes(_LENGTH) + len(text).to_bytes(_LENGTH))
    return packed.getvalue()


class _Raw:
    """Writes raw parts into the compressed stream."""

    def __init__(self, packed: io.BytesIO) -> None:
        self.packer = compressor()
        self.size = 0
        self._packed = packed

    def aside(self, part: bytes | memoryview | Iterator[bytes] | Callable[[], Any]) -> Any:
        """Write a part after the others. Gives what stands for it in the JSON."""
        if callable(part):
            return part()
        if isinstance(part, Iterator):
            return [self.aside(one) for one in part]
        self._packed.write(self.packer.compress(part))
        self.size += len(part)
        return {_RAW: [self.size - len(part), len(part)]}


def unpack_memory(packed: bytes, layout: str = "") -> Any:
    """Restore what `pack_memory` gave; bytes come back as views. Raises OutdatedMemory if another version wrote it."""
    head = _head(layout)
    if not packed.startswith(head):
        raise OutdatedMemory(
            "what the strategy had learned was written by another version of ontocrawl, and is left out",
            "the crawl goes on with the places that waiting pages have in the store, and learns anew",
        )
    size, length_of_text = int.from_bytes(packed[-2 * _LENGTH : -_LENGTH]), int.from_bytes(packed[-_LENGTH:])
    raw = memoryview(decompress(memoryview(packed)[len(head) : -2 * _LENGTH], size))

    def back(value: dict[str, Any]) -> Any:
        if len(value) == 1 and _RAW in value:
            start, length = value[_RAW]
            return raw[start : start + length]
        return value

    return json.loads(str(raw[size - length_of_text :], "utf-8", "surrogatepass"), object_hook=back)


def _head(layout: str) -> bytes:
    return f"ontocrawl {VERSION} {layout}".rstrip().encode() + b"\n"
