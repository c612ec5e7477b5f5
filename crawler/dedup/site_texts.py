"""Pages of one site that say the same, whatever their template adds: found by pieces of their texts.

A page's *own* pieces are those that its host does not repeat: a piece belongs to the host's template if a fifth of its
pages have it, and three at least. Of several pages with the same text only one counts here, so what thirty error pages
say is no template. Numbers do not make a difference for the template (`1,234 visitors`).

Two pages of a site (a registered domain) say the same in these cases:
- *Declared twins*: one names the other as canonical, and 0.8 of the smaller own text stands in the larger one, which is
  at most four times as long. So a thinner template does not matter, and a canonical that names a page with another text
  is not believed. If it names the home page, both must have the same own text: templates do this by mistake.
- They have the same own pieces, and enough of them. Their address may be quoted in them (`semantic.parsing.text_pieces`).
  If they have the same links, too, as error pages have, ten bytes are enough, and the numbers of the address make no
  difference (`item 17 does not exist`). If not, forty bytes are needed outside of links. Links to addresses that the
  crawl knows already make no difference (an error page with popular articles), unknown ones do.

Two pages are *alike* if their own pieces are the same without the numbers of their addresses, whatever their links: the
months of an empty calendar, and the slides of a lecture without text. Such pages stay what they are, but a trap is
charged for them.

The front page of a host says the same as another page only if that is declared.

Only pages of this run are compared. What is stored is bounded for all sites together (`KNOWN`): then the older half of
the pages of the site that was not met for longest is forgotten, except those that were found again.

Measured on all pages of seven archived webs in random order: MEASURED
"""

from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, NamedTuple

from semantic.parsing.text_pieces import FORM, TEXT, read_pieces, size_of, unnumbered
from semantic.urls import domain_of, host_of

REPEATED, SHARE = 3, 0.2  # pages of a host, and share of them, with a piece of its template; chosen, measured above
FEW, ENOUGH = 10, 40  # bytes of own text that show that two pages say the same; chosen, measured above
CONTAINED, THINNER = 0.8, 0.25  # shares of the smaller text in the larger, and its least length; chosen, not measured
COUNTED_COPIES = 2  # copies of one page whose template is counted; chosen, not measured
CANDIDATES = 2  # pages with which one is compared: those that share most of its text; chosen, not measured
KNOWN = 150_000  # places of pieces and addresses, about 100 bytes each; chosen, not measured
MOST_FORMS = 20_000  # forms counted for a host; chosen, not measured

How = Literal["declared", "same", "alike"]


class PageText(NamedTuple):
    """What is compared of a page. `links`: a hash of all addresses that it links to."""

    url: str
    canonical: str | None
    pieces: tuple[int, ...]
    links: int


class Same(NamedTuple):
    """The page that says the same. `number`: as it was given to `add`; `slot`: for `add_copy`."""

    number: int
    slot: int
    how: How


@dataclass(slots=True)
class _Known:
    """A page that was added."""

    number: int
    text: PageText
    copies: int = 0


class _Template:
    """What a host repeats: the forms of pieces that stand on many of its pages."""

    def __init__(self) -> None:
        self.forms: set[int] = set()
        self._counts: dict[int, int] = {}
        self._pages = 0
        self._sure_until = 0

    def count(self, pieces: Iterable[int]) -> None:
        """Count the pieces of one page."""
        self._pages += 1
        least = max(REPEATED, SHARE * self._pages)
        counts = self._counts
        for form in {piece >> FORM for piece in pieces}:
            counts[form] = count = counts.get(form, 0) + 1
            if count >= least:
                self.forms.add(form)
        if len(counts) > MOST_FORMS:
            self._counts = {form: count for form, count in counts.items() if count > 1 and count * 20 >= least}
        if self._pages > self._sure_until:
            self._sure_until = self._pages + self._pages // 4
            self.forms = {form for form in self.forms if self._counts.get(form, 0) >= least}


class _Site:
    """The pages of one registered domain."""

    def __init__(self) -> None:
        self.pages: dict[int, _Known] = {}
        self.places: dict[int, int] = {}  # of pieces, addresses and whole texts, all as hashes: the slot of their page
        self.templates: dict[str, _Template] = {}
        self._slots = 0

    def template(self, url: str) -> _Template:
        host = host_of(url)
        return self.templates.get(host) or self.templates.setdefault(host, _Template())

    def add(self, known: _Known) -> None:
        """Add a page."""
        slot = self._slots
        self._slots += 1
        self.pages[slot] = known
        self._place(slot, known.text)
        self.template(known.text.url).count(known.text.pieces)

    def halve(self) -> None:
        """Forget the older half of the pages, except those that have copies."""
        older = list(self.pages)[: (len(self.pages) + 1) // 2]
        for slot in older:
            if not self.pages[slot].copies:
                del self.pages[slot]
        if len(self.pages) > len(older):  # nearly all have copies
            self.pages.clear()
        self.places = {}
        for slot, known in self.pages.items():
            self._place(slot, known.text)

    def _place(self, slot: int, text: PageText) -> None:
        template, places = self.template(text.url).forms, self.places
        for piece in text.pieces:
            if piece >> FORM not in template:
                places.setdefault(piece >> TEXT, slot)
        places.setdefault(_whole(text.pieces), slot)
        places[hash(text.url)] = slot
        if text.canonical:
            places.setdefault(hash((text.canonical,)), slot)


class SiteTexts:
    """The texts of this run's pages, by site."""

    def __init__(self) -> None:
        self._sites: OrderedDict[str, _Site] = OrderedDict()
        self._places = 0

    def add(self, number: int, text: PageText) -> None:
        """Add a page in its own right, and count its pieces for the template of its host."""
        site = self._site(text.url)
        before = len(site.places)
        site.add(_Known(number, text))
        self._places += len(site.places) - before
        while self._places > KNOWN:
            oldest = next(iter(self._sites.values()))
            before = len(oldest.places)
            oldest.halve()
            self._places -= before - len(oldest.places)
            if not oldest.pages and oldest is not site:
                self._sites.popitem(last=False)

    def add_copy(self, same: Same, text: PageText) -> None:
        """Count a page that is a copy of another: only what that one does not say is the template's."""
        site = self._site(text.url)
        known = site.pages[same.slot]
        known.copies += 1
        if known.copies <= COUNTED_COPIES:
            site.template(text.url).count(set(text.pieces) - set(known.text.pieces))

    def find(self, text: PageText, *, is_leading_on: bool) -> Same | None:
        """The page of the same site that says the same. `is_leading_on`: whether this page has a link to an address
        that the crawl did not know.
        """
        site = self._site(text.url)
        if not site.places:
            return None
        for slot in self._declared(site, text):
            if _is_twin(site, text, site.pages[slot].text):
                return Same(site.pages[slot].number, slot, "declared")
        if text.url.count("/") == 3 and text.url.endswith("/"):
            return None
        found = [(slot, _how_same(site, text, site.pages[slot].text, is_leading_on)) for slot in _candidates(site, text)]
        for how in ("same", "alike"):
            for slot, said in found:
                if said == how:
                    return Same(site.pages[slot].number, slot, said)
        return None

    def _site(self, url: str) -> _Site:
        domain = domain_of(host_of(url))
        site = self._sites.get(domain)
        if site is None:
            site = self._sites[domain] = _Site()
        self._sites.move_to_end(domain)
        return site

    def _declared(self, site: _Site, text: PageText) -> list[int]:
        """The slots of the pages that this one names as canonical, or that name it."""
        names = [hash((text.url,))]
        if text.canonical:
            names += [hash(text.canonical), hash((text.canonical,))]
        return [slot for name in names if (slot := site.places.get(name)) is not None]


def _candidates(site: _Site, text: PageText) -> list[int]:
    """The slots of the pages that share most of the own text of this one."""
    template, places = site.template(text.url).forms, site.places
    shared: dict[int, int] = {}
    for piece in text.pieces:
        if piece >> FORM not in template:
            slot = places.get(piece >> TEXT)
            if slot is not None:
                shared[slot] = shared.get(slot, 0) + size_of(piece)
    best = sorted(shared, key=lambda slot: -shared[slot])[:CANDIDATES]
    whole = places.get(_whole(text.pieces))
    return best if whole is None or whole in best else [*best, whole]


def _own(site: _Site, one: PageText, other: PageText) -> tuple[set[int], set[int]]:
    """The pieces of two pages that are of neither template."""
    template = site.template(one.url).forms
    if host_of(other.url) != host_of(one.url):
        template = template | site.template(other.url).forms
    mine, others = ({piece for piece in text.pieces if piece >> FORM not in template} for text in (one, other))
    return mine, others


def _is_twin(site: _Site, text: PageText, known: PageText) -> bool:
    """Whether two pages of which one names the other as canonical have the same own text."""
    mine, others = ({piece >> TEXT for piece in own} for own in _own(site, text, known))
    common, (less, more) = _size(mine & others), sorted((_size(mine), _size(others)))
    named = text.canonical if text.canonical != text.url else known.canonical
    if named and named.count("/") == 3 and named.endswith("/"):
        return mine == others and common >= FEW
    return less >= max(FEW, THINNER * more) and common >= CONTAINED * less


def _how_same(site: _Site, text: PageText, known: PageText, is_leading_on: bool) -> How | None:
    mine, others = _own(site, text, known)
    has_same_links = text.links == known.links
    said, other_said = ({piece >> TEXT for piece in own if not piece & 1} for own in (mine, others))
    if said == other_said:
        is_same = {piece >> TEXT for piece in mine} == {piece >> TEXT for piece in others}
        if (is_same or not is_leading_on) and _size(said) >= (FEW if is_same and has_same_links else ENOUGH):
            return "same"
    if {*map(unnumbered, mine), 0} != {*map(unnumbered, others), 0}:
        return None
    return "same" if has_same_links and _size(said) >= FEW else "alike"


def _size(texts: set[int]) -> int:
    return sum([text & 0x3FF for text in texts])


def _whole(pieces: tuple[int, ...]) -> int:
    """A hash of everything that a page says, without numbers."""
    return hash(frozenset(map(unnumbered, pieces)))
