"""A text as the matcher reads it: folded, runs of blanks made one, marks without width gone; offsets lead back."""

import re
from bisect import bisect_right
from dataclasses import dataclass

from ontology.lexicon.text_folding import INVISIBLE, fold
from semantic.page import PARAGRAPH

_RUN = re.compile(rf"[ {INVISIBLE}]{{2,}}|{INVISIBLE}")
_LINE_END = re.compile("\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028]")


@dataclass(frozen=True, slots=True)
class Normalised:
    """`text` is the folded text. From `starts[i]` on, its offsets are `shifts[i]` smaller than those of the input."""

    text: str
    starts: tuple[int, ...] = ()
    shifts: tuple[int, ...] = ()

    def original(self, offset: int) -> int:
        """Where in the input the character at `offset` stands."""
        if not self.starts:
            return offset
        i = bisect_right(self.starts, offset)
        return offset + (self.shifts[i - 1] if i else 0)


def normalise(text: str) -> Normalised:
    """Fold a text in linear time. A blank line becomes PARAGRAPH; most pages have no run of blanks and need no map."""
    folded = fold(text)
    if "  " not in folded and INVISIBLE not in folded:
        return Normalised(folded)
    pieces, starts, shifts = [], [], []
    end = length = 0
    for run in _RUN.finditer(folded):
        between = _instead_of(run[0], text[run.start() : run.end()])
        pieces += [folded[end : run.start()], between]
        length += run.start() - end + len(between)
        end = run.end()
        starts.append(length)
        shifts.append(end - length)
    return Normalised("".join([*pieces, folded[end:]]), tuple(starts), tuple(shifts))


def _instead_of(folded: str, written: str) -> str:
    if " " not in folded:
        return ""
    return PARAGRAPH if len(_LINE_END.findall(written)) > 1 else " "
