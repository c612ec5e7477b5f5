"""How much of a page is judged: enough for any that people read, so little that none holds up the crawl.

Reading is done apart and can be stopped; judging and ordering are done in the crawl itself, in time that is linear in
text and links: about 10 microseconds for each mention of a concept. 5 MB of nothing but the topic's words took 14
seconds and 460 MB, and 10,000 short links under a long `<base>` more. So what is beyond these bounds is left out.
"""

from dataclasses import replace

from semantic.page import SITEMAP, SITEMAP_INDEX, Link, Page, Span

MAX_TEXT = 200_000  # characters: a short novel, or a manual on one page
MAX_TITLE = 1000  # characters of a title, of an anchor, of an anchor's own title
MAX_LINKS_TEXT = 1_500_000  # characters of all links, with all that is kept of them: some 5,000 of the usual ones
MAX_SPANS = 20_000  # changes of position in a text
MAX_NODES = 50_000  # texts and links in the tree of a page


def bounded(page: Page) -> Page:
    """The page itself, or where it is larger than its bounds its beginning.

    Links after the end of the text stay, at its end; links are left out from the first that is too much. A sitemap's
    are bounded by its own rules, which ask the topic (`semantic.parsing.sitemaps`).
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
    kept: list[Link] = []
    room = MAX_LINKS_TEXT
    for link in links:
        if link.end > end or len(link.anchor) > MAX_TITLE or len(link.title) > MAX_TITLE:
            kept.append(_cut(link, end))
        else:
            kept.append(link)
        room -= sum(map(len, (link.url, kept[-1].anchor, kept[-1].title, link.before, link.after, link.dom_path)))
        room -= sum(map(len, link.rel))
        if room < 0:
            return tuple(kept[:-1])
    return tuple(kept)


def _cut(link: Link, end: int) -> Link:
    """The link with what fits of its anchor and title."""
    anchor, start = link.anchor[:MAX_TITLE], min(link.start, end)
    stop = min(start + len(anchor), end) if link.start < link.end else start
    return link._replace(anchor=anchor, title=link.title[:MAX_TITLE], start=start, end=stop)


def _is_any(span: Span) -> bool:
    return span.start < span.end
