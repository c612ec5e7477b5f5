"""What a strategy has learned, as bytes for the store: JSON, with raw numbers behind it, compressed once.

    version, line end, zlib of: length of the JSON (8 bytes), the JSON, the raw parts

In the JSON a raw part is {"raw": [where it begins, how long it is]}. `VERSION` rises when what is remembered changes
its shape or meaning; a strategy's own layout (`LinkScorer.layout`) stands beside it. Memory of another version is
refused before anything of it is taken: half a memory is worse than none.
"""

import json
import zlib
from collections.abc import Mapping
from typing import Any

from ontology.errors import OutdatedMemory

VERSION = 2
_LENGTH = 8
_RAW = "raw"


def pack_memory(memory: Mapping[str, Any], layout: str = "") -> bytes:
    """JSON values and bytes (or views of them), as bytes."""
    parts: list[bytes | memoryview] = []
    size = 0

    def aside(part: bytes | memoryview) -> dict[str, list[int]]:
        nonlocal size
        parts.append(part)
        size += len(part)
        return {_RAW: [size - len(part), len(part)]}

    text = json.dumps(memory, ensure_ascii=False, default=aside).encode("utf-8", "surrogatepass")
    packer = zlib.compressobj(1)
    packed = [_version(layout), packer.compress(len(text).to_bytes(_LENGTH)), packer.compress(text)]
    packed += map(packer.compress, parts)
    return b"".join([*packed, packer.flush()])


def unpack_memory(packed: bytes, layout: str = "") -> Any:
    """What was packed. Raises OutdatedMemory where another version wrote it."""
    version = _version(layout)
    if not packed.startswith(version):
        raise OutdatedMemory(
            "what the strategy had learned was written by another version of ontocrawl, and is left out",
            "the crawl goes on with the places that waiting pages have in the store, and learns anew",
        )
    raw = zlib.decompress(memoryview(packed)[len(version) :])
    end = _LENGTH + int.from_bytes(raw[:_LENGTH])

    def back(value: dict[str, Any]) -> Any:
        if len(value) == 1 and _RAW in value:
            start, length = value[_RAW]
            return raw[end + start : end + start + length]
        return value

    return json.loads(raw[_LENGTH:end].decode("utf-8", "surrogatepass"), object_hook=back)


def _version(layout: str) -> bytes:
    return f"ontocrawl {VERSION} {layout}".rstrip().encode() + b"\n"
