"""Pages of one site that say the same, whatever their template adds: found by pieces of their texts.

A page's *own* pieces are those that its host does not repeat: a piece belongs to the host's template if a fifth of its
pages have it, and three at least. Of several pages with the same text only one counts here, so what thirty error pages
say is no template. Numbers do not make a difference for the template (`1,234 visitors`), but two pages whose templates
differ in numbers that are not of their addresses do not say the same: they may be all that tells a shop's goods apart.

Two pages of a site (a registered domain) say the same in these cases:
- *Declared twins*: one names the other as canonical, and 0.8 of the smaller own text stands in the larger one, which is
  at most four times as long. So a thinner template does not matter, and a canonical that names a page with another text
  is not believed. If it names the home page, both must have the same own text: templates do this by mistake.
- They have the same own pieces, and enough of them. Their address may be quoted (`semantic.parsing.text_pieces`).
  If they have the same links, too, as error pages have, ten bytes are enough, and the numbers of the address make no
  difference (`item 17 does not exist`). If not, forty bytes are needed outside of links. Links to addresses that the
  crawl knows already make no difference (an error page with popular articles), unknown ones do.

Two pages are *alike* if their own pieces are the same without the numbers of their addresses, whatever their links: the
months of an empty calendar, and the slides of a lecture without text. Such pages stay what they are, but a trap is
charged for them.

The front page of a host says the same as another page only if that is declared.

Only pages of this run are compared. What is stored is bounded for all sites together (`KNOWN`): then the older half of
the pages of the site that was not met for longest is forgotten, except those that were found again.

Measured on all pages of seven archived webs in random order, 80,000 pages with 10,700 labelled ones: 388 pages say the
same as another, of which 315 are on the web of a university (directory listings, login forms, error pages with status
200) and 67 are untranslated twins in a manual. 64 are labelled, and 63 of these say the same as another labelled page.
Two crawls of 1,000 pages with `fused` had the same recall and area as before. A page takes 0.04 to 0.09 ms while it
is read, and 0.09 to 0.11 ms here, on a busy machine.
"""

import re
from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal, NamedTuple

from semantic.parsing.text_pieces import FORM, TEXT, size_of, unnumbered
from semantic.urls import domain_of, host_of

REPEATED, SHARE = 3, 0.2  # pages of a host, and share of them, with a piece of its template; chosen, measured above
FEW, ENOUGH = 10, 40  # bytes of own text that show that two pages say the same; chosen, measured above
CONTAINED, THINNER = 0.8, 0.25  # shares of the smaller text in the larger, and its least length; chosen, not measured
COUNTED_COPIES = 2  # copies of one page whose template is counted; chosen, not measured
DIFFERING = 24  # own pieces by which pages differ at most: links to popular articles; chosen, not measured
LEAST_SHARED = 4  # one part in so many of its own text a page must share with another to be compared; chosen
CANDIDATES = 2  # pages with which one is compared: those that share most of its text; chosen, not measured
KNOWN = 150_000  # places of pieces and addresses, about 100 bytes each; chosen, not measured
MOST_FORMS = 20_000  # forms counted for a host; chosen, not measured

_NUMBERS = re.compile("[0-9]+")
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
            if form in counts:
                counts[form] = count = counts[form] + 1
                if count >= least:
                    self.forms.add(form)
            else:
                counts[form] = 1
        if len(counts) > MOST_FORMS:
            self._counts = {form: count for form, count in counts.items() if count > 1 and count * 20 >= least}
        if self._pages > self._sure_until:
            self._sure_until = self._pages + self._pages // 4
            self.forms = {form for form in self.forms if self._counts.get(form, 0) >= least}


class _Site:
    """The pages of one registered domain."""

    def __init__(self) -> None:
        self.pages: dict[int, _Known] = {}
        self.places: dict[int, int] = {}  # of pieces and addresses, all as hashes: the slot of their page
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
        places.setdefault(_series(text.url), slot)
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

    def find(self, text: PageText, is_leading_on: Callable[[], bool]) -> Same | None:
        """The page of the same site that says the same. `is_leading_on`: tells whether this page has a link to an
        address that the crawl did not know.
        """
        site = self._site(text.url)
        if not site.places or not text.pieces:  # a page without any text says nothing that could be compared
            return None
        for slot in self._declared(site, text):
            if _is_twin(site, text, site.pages[slot].text):
                return Same(site.pages[slot].number, slot, "declared")
        if text.url.count("/") == 3 and text.url.endswith("/"):
            return None
        found = [
            (slot, _how_same(site, text, site.pages[slot].text, is_leading_on)) for slot in _candidates(site, text)
        ]
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
    """The slots of the pages that share most of the own text of this one, and of the first whose address differs in
    numbers only.
    """
    template, places = site.template(text.url).forms, site.places
    shared: dict[int, int] = {}
    own = [piece >> TEXT for piece in text.pieces if piece >> FORM not in template]
    for place in own:
        slot = places.get(place)
        if slot is not None:
            shared[slot] = shared.get(slot, 0) + (place & 0x3FF)
    best = sorted(shared, key=lambda slot: -shared[slot])[:CANDIDATES]
    best = [slot for slot in best if shared[slot] * LEAST_SHARED >= sum([place & 0x3FF for place in own])]
    sibling = places.get(_series(text.url))
    return best if sibling is None or sibling in best else [*best, sibling]


def _template(site: _Site, one: PageText, other: PageText) -> set[int]:
    """The forms that the hosts of two pages repeat."""
    template = site.template(one.url).forms
    return template if host_of(one.url) == host_of(other.url) else template | site.template(other.url).forms


def _is_twin(site: _Site, text: PageText, known: PageText) -> bool:
    """Whether two pages of which one names the other as canonical have the same own text."""
    template = _template(site, text, known)
    mine, others = ({piece >> TEXT for piece in page.pieces if piece >> FORM not in template} for page in (text, known))
    common, (less, more) = _size(mine & others), sorted((_size(mine), _size(others)))
    named = text.canonical if text.canonical != text.url else known.canonical
    if named and named.count("/") == 3 and named.endswith("/"):
        return mine == others and common >= FEW
    return less >= max(FEW, THINNER * more) and common >= CONTAINED * less


def _how_same(site: _Site, text: PageText, known: PageText, is_leading_on: Callable[[], bool]) -> How | None:
    """How two pages say the same, None if they do not."""
    template = _template(site, text, known)
    mine, others = set(text.pieces), set(known.pieces)
    only, other_only = mine - others, others - mine
    if max(_number_of_own(only, template), _number_of_own(other_only, template)) > DIFFERING:
        return None
    both = {piece >> TEXT for piece in only} & {piece >> TEXT for piece in other_only}  # they repeat one address only
    only, other_only = ({piece for piece in pieces if piece >> TEXT not in both} for pieces in (only, other_only))
    if _differ_in_numbers(only, other_only):
        return None
    only, other_only = ({piece for piece in pieces if piece >> FORM not in template} for pieces in (only, other_only))
    shared = {piece >> TEXT for piece in mine & others if not piece & 1} | both
    said = _size({piece for piece in shared if piece >> FORM - TEXT not in template})
    has_same_links = text.links == known.links
    if all(piece & 1 for piece in (*only, *other_only)):
        is_same = not only and not other_only
        if said >= (FEW if is_same and has_same_links else ENOUGH) and (is_same or not is_leading_on()):
            return "same"
    if {0, *map(unnumbered, only)} != {0, *map(unnumbered, other_only)}:
        return None
    return "same" if has_same_links and said + _unnumbered_size(only) >= FEW else "alike"


def _number_of_own(pieces: set[int], template: set[int]) -> int:
    return sum([piece >> FORM not in template for piece in pieces])


def _differ_in_numbers(only: set[int], other_only: set[int]) -> bool:
    """Whether pieces of one form differ in other numbers than those of the addresses: the lots of a shop's goods."""
    forms = {piece >> FORM for piece in only} & {piece >> FORM for piece in other_only}
    said, other_said = (
        {piece >> FORM << 17 | unnumbered(piece) for piece in pieces if not piece & 1 and piece >> FORM in forms}
        for pieces in (only, other_only)
    )
    return said != other_said


def _unnumbered_size(pieces: Iterable[int]) -> int:
    return sum([size_of(piece) for piece in pieces if not piece & 1 and unnumbered(piece)])


def _size(texts: set[int]) -> int:
    return sum([text & 0x3FF for text in texts])


def _series(url: str) -> int:
    """A hash that addresses have in common that differ in numbers only."""
    return hash((_NUMBERS.sub("#", url), "series"))
