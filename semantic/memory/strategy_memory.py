"""What a strategy has learned, as bytes for the store, and back: one walk over the attributes that its parts name.

    version, line end, zlib(raw parts, MessagePack), length of both before compression, length of the MessagePack

The lengths have 8 bytes each. In the MessagePack an array is an extension with its type, shape and place among the
raw parts. Parts are compressed one by one as they are met, and a function is called when its turn comes, so that
packing a large memory needs little more than the compressed bytes. It is unpacked into one buffer of known size.
`VERSION` rises when the stored values change their shape or meaning; a strategy's own layout (`LinkScorer.layout`) is
written beside it. Memory of another version is refused before anything of it is used, because half a memory is worse
than none.
"""

import io
from array import array
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import GenericAlias
from typing import Any, ClassVar, get_args, get_origin

import msgspec
import numpy as np
from numpy.typing import NDArray

from ontology.errors import OutdatedMemory
from semantic.memory.arrays import with_room
from semantic.memory.compression import compressor, decompress

VERSION = 11  # of the format: see the module's text
_LENGTH = 8  # bytes of a length
_ARRAY = 1  # code of the extension
_IN_ONE_PART = 10_000  # texts joined into one part; chosen, not measured
# bytes that are compressed together: after twenty small pieces isal made 16 KB of a text of which it makes 9 alone
_TOGETHER = 2**16


@dataclass(frozen=True, slots=True)
class Rows:
    """The kind of an array with room for more rows. `used`: the attribute with the number of those that are kept."""

    used: str


class Lines:
    """The kind of a list of texts without line ends, such as addresses, of which a crawl has many."""


class Remembering:
    """A part of a strategy that a resumed crawl needs as it was.

    `KEPT`: attribute -> its kind: a type of `msgspec`, `numpy.ndarray`, `array`, `Rows`, `Lines`, or `Remembering` for
    another part, which is there before and takes back its own attributes. In a memory a name has no underscore.
    """

    KEPT: ClassVar[Mapping[str, Any]] = {}

    def remember(self) -> dict[str, Any]:
        """The kept attributes, not copied."""
        return {name.lstrip("_"): self._outward(getattr(self, name), kind) for name, kind in self.KEPT.items()}

    def restore(self, memory: Mapping[str, Any]) -> None:
        """Take back copies of what `remember` gave."""
        for name, kind in self.KEPT.items():
            setattr(self, name, _inward(getattr(self, name), kind, memory[name.lstrip("_")]))
        self.derive()

    def derive(self) -> None:
        """Compute again what follows from the kept attributes."""

    def _outward(self, value: Any, kind: Any) -> Any:
        if isinstance(value, Remembering):
            return value.remember()
        if isinstance(kind, Rows):
            return value[: getattr(self, kind.used)]
        if isinstance(value, set):
            return sorted(value)
        return lines_of(value) if kind is Lines else value


def _inward(held: Any, kind: Any, value: Any) -> Any:
    """A value for an attribute that is `held` now."""
    if isinstance(held, Remembering):
        held.restore(value)
        return held
    if isinstance(kind, Rows):
        return with_room(view_of(value))
    if kind is Lines:
        return list(read_lines(value))
    if kind is array:
        return array(held.typecode, view_of(value).astype(held.typecode).tobytes())
    if isinstance(held, deque):
        return deque(converted(value, GenericAlias(list, get_args(kind))), held.maxlen)
    return copied(value) if kind is np.ndarray else converted(value, kind)


def converted(value: Any, kind: Any) -> Any:
    """What `unpack_memory` gave as a value of this type, which is not shared with it."""
    return msgspec.convert(value, kind, dec_hook=_made)


def _made(kind: Any, value: Any) -> Any:
    """What `msgspec` does not make itself: an array, a `Counter`, a part that may be missing."""
    kind = get_origin(kind) or kind
    if kind is np.ndarray:
        return copied(value)
    if not issubclass(kind, Remembering):
        return kind(value)
    part = kind()
    part.restore(value)
    return part


def lines_of(texts: Sequence[str]) -> Iterator[NDArray[np.uint8]]:
    """Texts without line ends as parts, each made when its turn comes."""
    for first in range(0, len(texts), _IN_ONE_PART):
        yield raw("\n".join(texts[first : first + _IN_ONE_PART]).encode("utf-8", "surrogatepass"))


def read_lines(parts: Iterable[Any]) -> Iterator[str]:
    """The texts of `lines_of`."""
    for part in parts:
        yield from str(view_of(part).data, "utf-8", "surrogatepass").split("\n")


def raw(part: bytes) -> NDArray[np.uint8]:
    """Bytes as an array, which is compressed at once instead of being kept until all is packed."""
    return np.frombuffer(part, np.uint8)


@dataclass(frozen=True, slots=True)
class Packed:
    """An array in an unpacked memory: its type and shape, and where it begins in the whole buffer."""

    kind: str
    shape: tuple[int, ...]
    start: int
    whole: memoryview


def view_of(value: "Packed | NDArray[Any]") -> NDArray[Any]:
    """An array as it was packed, which cannot be written."""
    if isinstance(value, Packed):
        kind = np.dtype(value.kind)
        found = np.ndarray(value.shape, kind, value.whole, value.start)
        return found.astype(kind.newbyteorder("="), copy=False)
    return np.asarray(value)


def copied(value: "Packed | NDArray[Any]") -> NDArray[Any]:
    """An array of its own."""
    return np.array(view_of(value))


def pack_memory(memory: Mapping[str, Any], layout: str = "") -> bytes:
    """Pack what `msgspec` packs, arrays, parts, iterators, and functions that give any of these."""
    packed = io.BytesIO()
    packed.write(_head(layout))
    parts = _Parts(packed)
    text = msgspec.msgpack.Encoder(enc_hook=parts.plain).encode(memory)
    parts.write(text)
    parts.end()
    packed.write(parts.size.to_bytes(_LENGTH) + len(text).to_bytes(_LENGTH))
    return packed.getvalue()


class _Parts:
    """Writes raw parts into the compressed stream."""

    def __init__(self, packed: io.BytesIO) -> None:
        self.size = 0
        self._packer = compressor()
        self._packed = packed
        self._small = bytearray()  # parts that are not compressed yet

    def plain(self, value: Any) -> Any:
        """What stands for a value that `msgspec` does not know."""
        if isinstance(value, array):
            value = np.frombuffer(value, value.typecode)
        if isinstance(value, np.ndarray):
            little = np.ascontiguousarray(value, value.dtype.newbyteorder("<"))
            start = self.write(little.reshape(-1).view(np.uint8).data)
            return msgspec.msgpack.Ext(_ARRAY, msgspec.msgpack.encode((little.dtype.str, value.shape, start)))
        if isinstance(value, Remembering):
            return value.remember()
        if isinstance(value, np.generic):
            return value.item()
        if callable(value):
            return value()
        return [self.plain(one) if isinstance(one, np.ndarray) else one for one in value]

    def write(self, part: bytes | memoryview) -> int:
        """Write a part after the others. Gives where it begins."""
        if len(self._small) + len(part) > _TOGETHER:
            self._compress(self._small)
            self._small = bytearray()
        if len(part) > _TOGETHER:
            self._compress(part)
        else:
            self._small += part
        self.size += len(part)
        return self.size - len(part)

    def end(self) -> None:
        """Write what is left."""
        self._compress(self._small)
        self._packed.write(self._packer.flush())

    def _compress(self, part: bytes | bytearray | memoryview) -> None:
        self._packed.write(self._packer.compress(part))


def unpack_memory(packed: bytes, layout: str = "") -> Any:
    """Restore what `pack_memory` gave, as dicts and lists, with `Packed` arrays. Raises OutdatedMemory if
    another version wrote it.
    """
    head = _head(layout)
    if not packed.startswith(head):
        raise OutdatedMemory(
            "what the strategy had learned was written by another version of ontocrawl, and is left out",
            "the crawl continues with the order of the waiting pages in the record, and learns from the beginning",
        )
    size, length_of_text = int.from_bytes(packed[-2 * _LENGTH : -_LENGTH]), int.from_bytes(packed[-_LENGTH:])
    whole = memoryview(decompress(memoryview(packed)[len(head) : -2 * _LENGTH], size))

    def back(_code: int, said: memoryview) -> Packed:
        kind, shape, start = msgspec.msgpack.decode(said)
        return Packed(kind, tuple(shape), start, whole)

    return msgspec.msgpack.decode(whole[size - length_of_text :], ext_hook=back)


def _head(layout: str) -> bytes:
    return f"ontocrawl {VERSION} {layout}".rstrip().encode() + b"\n"
