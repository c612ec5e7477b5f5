"""Parameters of a host's addresses that change and never matter: session ids, cache busters, where a link was clicked.

They have any name, so they are learned for each host. `/a?sid=1` and `/a?sid=2` with the same text are a *pair*: they
say that `sid` did not matter there. If several parameters differ, all of them are credited, those of the most similar
address with the text. One that is missing in one of the two is not: `/list` is the same as `/list?page=1`.

A parameter is *idle* after `PAIRS` pairs of `PAGES` different pages, unless two addresses that differ in nothing but
idle parameters have different texts. Then the one with the fewest pairs of those that differ matters from then on,
whatever comes later. As all error pages of a path are copies of one page, `?id=` is not idle because of them.

A link is a *repeat* if it differs only in idle parameters from an address that has ended. Repeats wait behind the trap
`shop.example/...?sid`. Until a parameter has had `SURE` pairs, one repeat in `ONE_IN` is fetched, chosen by a hash, so
that a parameter that matters in a few places is found out.

Parameters are what stands between `?`, `&` and `;`, as in `/a;sid=1`. One without a name (`/a?1700000000`) has the name
"". Of all addresses with parameters the latest are stored, `MOST` of a host and `KNOWN` of all; of the others only a
hash of what is left of them without the idle ones.
"""

import re
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass, field
from zlib import crc32

from semantic.reasons import Reason, because
from semantic.urls import host_of

PAIRS, PAGES = 5, 4  # chosen, not measured
SURE, ONE_IN = 10, 8  # chosen, not measured
MOST, KNOWN = 1000, 50_000  # addresses, about 200 bytes each; chosen, not measured
PARAMETERS = 32  # of an address with more nothing is learned; chosen, not measured
NAMES, LONGEST = 64, 100  # parameters counted for a host, and characters of a name; chosen, not measured
COMPARED = 16  # latest addresses of a page with which one more is compared; chosen, not measured
IDLE = "/...?"  # between host and parameter in the name of a trap

_SEPARATORS = re.compile("[?&;]")


@dataclass(slots=True)
class _Evidence:
    """Pairs of addresses that differ in one parameter and have the same text, and some of these texts."""

    pairs: int = 0
    pages: set[int] = field(default_factory=set)

    @property
    def is_enough(self) -> bool:
        return self.pairs >= PAIRS and len(self.pages) >= PAGES


@dataclass(slots=True)
class _HostAddresses:
    """What is known of one host. `ended`: addresses with parameters, and a hash of the page with their text, 0 for
    none. `rests`: by a hash of what is left without the idle parameters, the first such address.
    """

    ended: dict[str, int] = field(default_factory=dict)
    evidence: dict[str, _Evidence] = field(default_factory=dict)
    mattering: set[str] = field(default_factory=set)
    idle: frozenset[str] = frozenset()
    rests: dict[int, str] = field(default_factory=dict)


class Parameters:
    """The parameters of all hosts so far. `allowed`: names of traps that are never closed."""

    def __init__(self, allowed: frozenset[str] = frozenset()) -> None:
        from semantic.memory.compact_collections import HashSet  # numpy; commands that only name traps start without it

        self._allowed = allowed
        self._hosts: OrderedDict[str, _HostAddresses] = OrderedDict()
        self._number = 0  # of stored addresses
        self._ended = HashSet()  # of addresses without parameters, and of what is left of the others
        self._no_pages = HashSet()  # addresses without parameters that are no page in their own right

    def trap(self, url: str) -> str | None:
        """The trap that a normalised address waits behind as a repeat, if any."""
        name = self.repeated(url)
        if name is None:
            return None
        host = host_of(url)
        is_checked = self._hosts[host].evidence[name].pairs < SURE and crc32(url.encode()) % ONE_IN == 0
        return None if is_checked else f"{host}{IDLE}{name}"

    def repeated(self, url: str) -> str | None:
        """The idle parameter by which a normalised address is a repeat, of several the one with the fewest pairs; None
        if it is no repeat.
        """
        known = self._hosts.get(host_of(url))
        if known is None or not known.idle:
            return None
        path, *parts = _SEPARATORS.split(url)
        names = known.idle.intersection(map(_name, parts))
        if not names:
            return None
        rest = _rest(path, parts, known.idle)
        if hash((rest, known.idle)) not in self._ended and hash(rest) not in self._ended:
            return None
        return min(names, key=lambda name: (known.evidence[name].pairs, name))

    def is_beset(self, host: str) -> bool:
        """Whether a host has an idle parameter."""
        return host in self._hosts and bool(self._hosts[host].idle)

    def why(self, trap: str) -> Reason:
        """The reason for a trap that `trap` named."""
        host, _, name = trap.partition(IDLE)
        known = self._hosts.get(host) or _HostAddresses()
        return because("idle parameter", pairs=known.evidence.get(name, _Evidence()).pairs)

    def receive(self, url: str, page: str | None) -> list[str]:
        """Count an address that has ended. `page`: that of the page with its text, None for no page. Returns the names
        given by `trap` that no longer apply.
        """
        host, number = host_of(url), len(_SEPARATORS.findall(url))
        if not number:
            self._ended.add(hash(url))
            if page != url:
                self._no_pages.add(hash(url))
            known = self._hosts.get(host)
            other = known.rests.get(hash(url)) if known and page == url else None
            has_clash = known is not None and other is not None and known.ended[other] != hash(url)
            return self._settle(host, known) if known and has_clash else []
        if number > PARAMETERS:
            return []
        known = self._hosts.get(host) or self._hosts.setdefault(host, _HostAddresses())
        self._hosts.move_to_end(host)
        text = hash(page) if page else 0
        has_new = page not in (None, url) and self._count_pair(known, url, text)
        self._number += url not in known.ended
        known.ended[url] = text
        has_new = has_new or bool(known.idle and self._clash(known, url, text))
        opened = self._settle(host, known) if has_new else []
        self._forget(known)
        return opened

    def replace(self, before: str, page: str) -> None:
        """Note that a page has become a copy of another one, with its copies."""
        for host in {host_of(before), host_of(page)}:
            known = self._hosts.get(host)
            for url, text in list(known.ended.items()) if known else ():
                if known and text == hash(before):
                    known.ended[url] = hash(page)
        if not _SEPARATORS.search(before):
            self._no_pages.add(hash(before))

    def _count_pair(self, known: _HostAddresses, url: str, text: int) -> bool:
        """Credit the parameters in which an address differs from one with the same text. Returns whether one of them
        is idle by this.
        """
        path, mine = _SEPARATORS.split(url)[0], _values(url)
        same = [one for one, its in known.ended.items() if its == text and one != url][-COMPARED:]
        others = [_values(one) for one in same if _SEPARATORS.split(one)[0] == path]
        if not others:
            return False
        differing, other = min(((_differing(mine, one), one) for one in others), key=lambda found: len(found[0]))
        has_new = False
        for name in differing & mine.keys() & other.keys():
            if len(name) <= LONGEST and (name in known.evidence or len(known.evidence) < NAMES):
                evidence = known.evidence.setdefault(name, _Evidence())
                evidence.pairs += 1
                if len(evidence.pages) < PAGES:
                    evidence.pages.add(text)
                has_new |= evidence.is_enough and name not in known.idle and name not in known.mattering
        return has_new

    def _settle(self, host: str, known: _HostAddresses) -> list[str]:
        """Decide anew which parameters are idle. Returns the names of the traps whose links are released by it."""
        before, mattering = known.idle, len(known.mattering)
        enough = {name for name, evidence in known.evidence.items() if evidence.is_enough}
        enough = {name for name in enough if f"{host}{IDLE}{name}" not in self._allowed}
        while True:
            known.idle, known.rests = frozenset(enough - known.mattering), {}
            if not known.idle:
                break
            clashes = [clash for url, text in known.ended.items() if (clash := self._clash(known, url, text))]
            if not clashes:
                break
            clash = min(clashes, key=len)
            fewest = min(known.evidence[name].pairs for name in clash)
            known.mattering |= {name for name in clash if known.evidence[name].pairs == fewest}
        return [f"{host}{IDLE}{name}" for name in sorted(before)] if len(known.mattering) > mattering else []

    def _clash(self, known: _HostAddresses, url: str, text: int) -> frozenset[str]:
        """Note what is left of an address without the idle parameters. Returns those in which it differs from another
        address with the same rest and another text.
        """
        path, *parts = _SEPARATORS.split(url)
        rest = _rest(path, parts, known.idle)
        self._ended.add(hash((rest, known.idle)))
        if not text:
            return frozenset()
        others = {known.rests.setdefault(hash(rest), url)}
        if rest == path and hash(path) in self._ended and hash(path) not in self._no_pages:
            others.add(path)
        for other in others:
            if known.ended.get(other, hash(other)) != text and (differing := _differing(_values(url), _values(other))):
                return known.idle & differing
        return frozenset()

    def _forget(self, known: _HostAddresses) -> None:
        """Forget the older half of the addresses of a host that has too many, and hosts that were not met for
        longest.
        """
        if len(known.ended) > MOST:
            self._number -= len(known.ended) // 2
            known.ended = dict(list(known.ended.items())[len(known.ended) // 2 :])
            kept = known.ended.keys()
            known.rests = {rest: url for rest, url in known.rests.items() if url in kept}
        while self._number > KNOWN:
            _, oldest = self._hosts.popitem(last=False)
            self._number -= len(oldest.ended)


def _name(part: str) -> str:
    name, mark, _ = part.partition("=")
    return name if mark else ""


def _rest(path: str, parts: Iterable[str], idle: frozenset[str]) -> str:
    """What is left of an address without the idle parameters."""
    kept = [part for part in parts if _name(part) not in idle]
    return f"{path}?{'&'.join(kept)}" if kept else path


def _values(url: str) -> dict[str, list[str]]:
    values: dict[str, list[str]] = {}
    for part in _SEPARATORS.split(url)[1:]:
        values.setdefault(_name(part), []).append(part)
    return values


def _differing(one: dict[str, list[str]], other: dict[str, list[str]]) -> set[str]:
    return {name for name in one.keys() | other.keys() if one.get(name) != other.get(name)}
