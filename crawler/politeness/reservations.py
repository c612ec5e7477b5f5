"""What an origin reserves for text and data mining: `Content-Signal` lines of its robots.txt, and its `tdmrep.json`.

- `Content-Signal: search=yes, ai-train=no` (contentsignals.org) belongs to the group of robots in which it stands: to
  ours if there is one, else to `*`, else to the lines before all groups. What it answers with `no` is reserved.
- `/.well-known/tdmrep.json` (W3C, TDM Reservation Protocol, final community group report, 6.1) is a list of `location`,
  `tdm-reservation` (1 or 0) and `tdm-policy`. Of the patterns that match a path, the longest decides, and of two of one
  length the one that reserves. A pattern is one of robots.txt: `*` stands for any characters, `$` for the end.

Both are files of strangers: what is not as it should be is left out, and never raises.
"""

import json
import re
from collections.abc import Iterable
from typing import Any, NamedTuple

from semantic.parsing.page_reservations import is_policy

FILE = "/.well-known/tdmrep.json"
SIGNALS = ("search", "ai-input", "ai-train")
MOST_RULES = 1000  # of one file; chosen, not measured
LONGEST = 2000  # characters of a pattern; chosen, not measured
_ROBOT = re.compile(r"\s*user-?agent\s*:\s*([^#]*)", re.I)
_SIGNAL = re.compile(r"\s*content-signals?\s*:([^#]*)", re.I)
_ANSWER = re.compile(r"([a-z-]+)\s*=\s*(yes|no)\b", re.I)


class ReservationRule(NamedTuple):
    """One object of a `tdmrep.json`."""

    location: str
    is_reserved: bool
    policy: str = ""


def tdm_file(origin: str) -> str:
    """The address of the `tdmrep.json` of an origin, which is named by the address of its robots.txt."""
    return origin.rpartition("/")[0] + FILE


def signals_of(lines: Iterable[str], agent: str) -> str:
    """The signals that answer `no` to this robot, as one text; '' for none."""
    said: dict[str, dict[str, str]] = {}
    robots, is_head = [""], False
    for line in lines:
        if robot := _ROBOT.match(line):
            robots = [*(robots if is_head else []), robot[1].strip().lower()]
            is_head = True
        elif line.strip() and not line.lstrip().startswith("#"):
            is_head = False
            if signal := _SIGNAL.match(line):
                answers = {name.lower(): answer.lower() for name, answer in _ANSWER.findall(signal[1])}
                for each in robots:
                    said.setdefault(each, {}).update(answers)
    ours = said.get(agent) or said.get("*") or said.get("") or {}
    return ", ".join(f"{name}=no" for name in SIGNALS if ours.get(name) == "no")


def read_tdmrep(body: bytes) -> tuple[ReservationRule, ...]:
    """The rules of a `tdmrep.json`; () for a file that is none, as the web page that some servers send instead."""
    try:
        objects = json.loads(body)
    except (ValueError, RecursionError):
        return ()
    objects = objects if isinstance(objects, list) else [objects]
    rules = (_rule(each) for each in objects[:MOST_RULES] if isinstance(each, dict))
    return tuple(rule for rule in rules if rule is not None)


def _rule(given: dict[str, Any]) -> ReservationRule | None:
    location, reservation, policy = (given.get(name, "") for name in ("location", "tdm-reservation", "tdm-policy"))
    is_usable = (
        isinstance(location, str) and 0 < len(location) <= LONGEST and isinstance(reservation, int | float | str)
    )
    if not is_usable or (value := str(reservation).strip()) not in ("0", "1", "0.0", "1.0"):
        return None
    policy = policy.strip() if isinstance(policy, str) else ""
    return ReservationRule(location, value.startswith("1"), policy if is_policy(policy) else "")


def reservation(rules: Iterable[ReservationRule], path: str) -> ReservationRule | None:
    """The rule by which a path is reserved; None if it is not."""
    found = [rule for rule in rules if fits(rule.location, path)]
    best = max(found, key=lambda rule: (len(rule.location), rule.is_reserved), default=None)
    return best if best is not None and best.is_reserved else None


def fits(pattern: str, path: str) -> bool:
    """Whether a pattern of robots.txt matches a path (RFC 9309, 2.2.3), in time linear in both for each `*`."""
    if not pattern.startswith(("/", "*")):
        pattern = f"/{pattern}"
    is_whole = pattern.endswith("$")
    first, *others = pattern.removesuffix("$").split("*")
    if not path.startswith(first):
        return False
    at = len(first)
    if not others:
        return at == len(path) or not is_whole
    *between, last = others
    for part in between:
        place = path.find(part, at)
        if place < 0:
            return False
        at = place + len(part)
    return path.endswith(last) and len(path) - len(last) >= at if is_whole else path.find(last, at) >= 0
