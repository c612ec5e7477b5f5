"""What a part of a strategy remembers, as a store gives it back."""

from typing import Any

from semantic.memory.strategy_memory import Remembering, pack_memory, unpack_memory


def stored(part: Remembering) -> Any:
    """The part's memory after it was packed and unpacked."""
    return unpack_memory(pack_memory(part.remember()))


def resumed(part: Remembering, fresh: Any) -> Any:
    """The fresh part with the memory of the other."""
    fresh.restore(stored(part))
    return fresh
