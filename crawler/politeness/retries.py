"""How often an address without an answer is asked again, and for how long in all. Pure."""

from crawler.politeness.pacing import PATIENCE
from crawler.ports import Outcome, seconds_of

RETRIES = 2
LATER = 5  # where Retry-After says when


class Tries:
    """The addresses that were asked in vain and wait to be asked again."""

    def __init__(self) -> None:
        self._made: dict[str, tuple[int, float]] = {}  # how many, and the seconds that they took

    def again(self, url: str, outcome: Outcome, *, told: bool) -> bool:
        """Count an answer in vain; whether the address may be asked again. `told`: Retry-After said when."""
        count, seconds = self._made.pop(url, (0, 0.0))
        count, seconds = count + 1, seconds + seconds_of(outcome)
        again = count <= (LATER if told else RETRIES) and seconds < PATIENCE
        if again:
            self._made[url] = count, seconds
        return again

    def end(self, url: str) -> None:
        """It has ended."""
        self._made.pop(url, None)
