"""Limits on the size of a page that is judged: enough for all pages that people read, and small enough for the crawl.

Reading runs in a separate process and can be stopped. Judging and ordering run in the crawl itself, in time linear in
text and links: about 10 microseconds for each mention of a concept. Measured: 5 MB that consist of the topic's words
took 14 seconds and 460 MB, and 10,000 short links under a long `<base>` more. So what exceeds these limits is dropped.
"""

from dataclasses import replace

from semantic.page import SITEMAP, SITEMAP_INDEX, Link, Page, Span

# Chosen so that judging takes two seconds at most (see above); each is far above what usual pages have.
MAX_TEXT = 200_000  # characters: a short novel, or a manual on one page
MAX_TITLE = 1000  # characters of a page's title, of an anchor, and of an anchor's title attribute
MAX_LINKS_TEXT = 1_500_000  # characters of all links with their attributes and surroundings: about 5,000 usual links
FEW_LINKS = 250  # so many cannot exceed that: one has 5,200 characters at most (address 2,000, DOM path and rel 1,100)
MAX_SPANS = 20_000  # spans of text with one position
MAX_NODES = 50_000  # texts and links in the tree of a page


def bounded(page: Page) -> Page:
    """The page, shortened to its beginning if it exceeds a limit.

    Links after the end of the shortened text are moved to its end; when the limit for links is reached, the rest of
    them is dropped. The links of a sitemap have limits of their own, which depend on the topic
    (`semantic.parsing.sitemaps`).
    """
    if page.source in (SITEMAP, SITEMAP_INDEX):
        return page
    end = min(len(page.text), MAX_TEXT, *(span.start for span in page.spans[MAX_SPANS : MAX_SPANS + 1]))
    links = _links(page.links, end)
    if len(page.nodes) > 3 * MAX_NODES:
        page = replace(page, nodes=page.nodes[: 3 * MAX_NODES])
    if len(page.text) == end and len(page.title) <= MAX_TITLE and links == page.links:
        return page
    spans = (span._replace(end=min(span.end, end)) for span in page.spans)
    kept = tuple(filter(_is_any, spans))
    return replace(page, title=page.title[:MAX_TITLE], text=page.text[:end], spans=kept, links=links)


def _links(links: tuple[Link, ...], end: int) -> tuple[Link, ...]:
    if len(links) <= FEW_LINKS and not any([_is_beyond(link, end) for link in links]):
        return links
    kept: list[Link] = []
    room = MAX_LINKS_TEXT
    for link in links:
        if _is_beyond(link, end):
            kept.append(_cut(link, end))
        else:
            kept.append(link)
        room -= sum(map(len, (link.url, kept[-1].anchor, kept[-1].title, link.before, link.after, link.dom_path)))
        room -= sum(map(len, link.rel))
        if room < 0:
            return tuple(kept[:-1])
    return tuple(kept)


def _is_beyond(link: Link, end: int) -> bool:
    return link.end > end or len(link.anchor) > MAX_TITLE or len(link.title) > MAX_TITLE


def _cut(link: Link, end: int) -> Link:
    """The link with its anchor and title shortened to the limits."""
    anchor, start = link.anchor[:MAX_TITLE], min(link.start, end)
    stop = min(start + len(anchor), end) if link.start < link.end else start
    return link._replace(anchor=anchor, title=link.title[:MAX_TITLE], start=start, end=stop)


def _is_any(span: Span) -> bool:
    return span.start < span.end
