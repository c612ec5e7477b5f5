"""The plots of a report as SVG to stand in a page: lines and areas as vectors, words as text in the reader's fonts.

Only this file imports matplotlib. What it writes is changed in three ways, so that a page may hold several plots and
forbid inline styles: each style becomes a class (`Plot.styles`), its sheet for the whole document goes, and so do ids
that would be the same in every plot.
"""

import io
import logging
import re
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cli.render.terminal import one_line
from cli.report.crawl_figures import BARS, Part, Scale, SiteCount

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Colours that people with any kind of colour blindness tell apart (Okabe and Ito, 2008), dark enough to be read.
BLUE, ORANGE, GREEN, GREY = "#0072b2", "#d55e00", "#00795a", "#767676"
PALE = "#b4bac2"  # of what does not count
OTHER = "#a03c78"  # of the crawl that is compared with
WIDTH, HEIGHT = 9.0, 5.6  # inches of 72 units each
FONTS = ["DejaVu Sans", "Noto Sans CJK SC", "Noto Sans SC", "PingFang SC", "Microsoft YaHei", "sans-serif"]
SITES = 40  # on the map; the others are one field
LEAST_FIELD = 0.0025  # of the map's area: what is smaller has no name
LANGUAGES = 12
_TAG = re.compile(r"<[a-z][^>]*>")  # texts have no < and no > as such, so that what they say is in no tag
_STYLE, _ID = re.compile(r' style="([^"]*)"'), re.compile(r' id="(?:[a-zA-Z0-9]+|matplotlib\.axis)_[0-9]+"')
_SHEET = re.compile(r"<defs>\s*<style[^>]*>.*?</style>\s*</defs>", re.DOTALL)
_META = re.compile(r"<metadata>.*?</metadata>", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Plot:
    """`svg` for a page, and the `styles` of its classes."""

    svg: str
    styles: Mapping[str, str]


Words = Mapping[str, str]


def harvest_curve(parts: Sequence[Part], words: Words, against: Sequence[Part] = ()) -> Plot:
    """Three plots over the pages fetched: harvest so far, the queue's promise beside what came, and the speed."""
    figure, (harvest, promise, speed) = _figure(3, height_ratios=(3, 2, 1.2), sharex=True)
    for some, colour, name in ((against, OTHER, words["other_crawl"]), (parts, BLUE, words["this_crawl"])):
        if some:
            pages = [part.until for part in some]
            label = name if against else words["harvest_so_far"]
            harvest.plot(pages, [part.found / part.until for part in some], color=colour, linewidth=2, label=label)
            rates = [(part.until, part.pages_per_s) for part in some if part.pages_per_s is not None]
            speed.plot(*zip(*rates, strict=True) if rates else ((), ()), color=colour, linewidth=1.2)
    if not against:
        pages, shares = [part.until for part in parts], [part.share for part in parts]
        harvest.plot(pages, shares, color=GREY, linewidth=0.9, linestyle=":", label=words["harvest_of_part"])
    told = [part for part in parts if part.promised is not None]
    pages = [part.until for part in told]
    promise.plot(pages, [part.promised or 0.0 for part in told], color=ORANGE, linestyle="--", label=words["promised"])
    promise.plot(pages, [part.kept or 0.0 for part in told], color=GREEN, label=words["came"])
    harvest.set_ylim(0, 1.02)
    harvest.set_ylabel(words["share_on_topic"])
    promise.set_ylabel(words["priority_relevance"])
    promise.set_ylim(bottom=0)
    speed.set_ylim(bottom=0)
    speed.set_ylabel(words["pages_per_s"])
    speed.set_xlabel(words["pages_fetched"])
    for axes in (harvest, promise):
        axes.legend(loc="best", frameon=True, framealpha=0.85, edgecolor="none")
    return _drawn(figure, "curve")


def histogram(scale: Scale, words: Words) -> Plot:
    """How many pages lie in each part of the scale, and the threshold; parts below it are grey."""
    figure, (axes,) = _figure(1, height=3.0)
    axes.set_position((0.09, 0.2, 0.88, 0.74))
    middles = [(bar + 0.5) / BARS for bar in range(BARS)]
    colours = [BLUE if middle > scale.threshold else PALE for middle in middles]
    axes.bar(middles, scale.bars, width=0.85 / BARS, color=colours, linewidth=0)
    axes.set_xlim(0, 1)
    if max(scale.bars, default=0) > 50:
        axes.set_yscale("symlog", linthresh=10)
        axes.yaxis.set_major_formatter("{x:,.0f}")
    axes.set_ylim(bottom=0)
    axes.axvline(scale.threshold, color=ORANGE, linewidth=2)
    axes.set_xlabel(words["relevance"])
    axes.set_ylabel(words["pages"])
    return _drawn(figure, "scale")


def site_map(sites: Sequence[SiteCount], words: Words) -> Plot:
    """A field for each host: its area is its number of pages, its colour their share on topic, pale if low."""
    from matplotlib import colormaps
    from matplotlib.patches import Rectangle

    figure, (axes,) = _figure(1, height=4.2)
    axes.set_position((0, 0, 1, 1))
    axes.axis("off")
    axes.set_xlim(0, WIDTH)
    axes.set_ylim(0, 4.2)
    seen = [site for site in sites if site.pages]
    named = [(site.host, site.pages, site.share) for site in seen[:SITES]]
    rest = seen[SITES:]
    if rest:
        pages = sum(site.pages for site in rest)
        share = sum(site.on_topic for site in rest) / pages
        named.append((words["other_sites"].format(n=len(rest)), pages, share))
    every = sum(pages for _, pages, _ in named) or 1
    colours = colormaps["Blues"]
    for (host, pages, share), (x, y, w, h) in zip(
        named, fields([pages for _, pages, _ in named], WIDTH, 4.2), strict=True
    ):
        colour = colours(0.1 + 0.8 * share)  # 0 is white in it, as the page
        axes.add_patch(Rectangle((x, y), w, h, facecolor=colour, edgecolor="white", linewidth=1.5))
        room = int(w * 72 / 5.6)
        if pages / every >= LEAST_FIELD and room > 5 and h > 0.22:
            ink = "black" if 0.3 * colour[0] + 0.59 * colour[1] + 0.11 * colour[2] > 0.45 else "white"
            axes.text(x + 0.06, y + h - 0.08, one_line(host, room), color=ink, fontsize=9, va="top")
            if h > 0.42:
                told = f"{pages:,} · {share:.0%}"
                axes.text(x + 0.06, y + h - 0.26, one_line(told, room), color=ink, fontsize=8, va="top")
    return _drawn(figure, "sites")


def fields(sizes: Sequence[int], width: float, height: float) -> list[tuple[float, float, float, float]]:
    """Rectangles of these areas that fill one, none narrower than need be: x, y, width, height.

    `sizes`: largest first. The way is that of squarified treemaps (Bruls, Huizing and van Wijk, 2000): a row along the
    shorter side takes fields as long as that makes its narrowest one squarer.
    """
    unit = width * height / (sum(sizes) or 1)
    areas = [size * unit for size in sizes]
    x = y = 0.0
    made: list[tuple[float, float, float, float]] = []
    while areas:
        side = min(width, height)
        number = 1
        while number < len(areas) and _narrowest(areas[: number + 1], side) <= _narrowest(areas[:number], side):
            number += 1
        row, areas = areas[:number], areas[number:]
        deep, at = sum(row) / side, 0.0
        for area in row:
            long = area / deep
            made.append((x, y + at, deep, long) if width >= height else (x + at, y, long, deep))
            at += long
        if width >= height:
            x, width = x + deep, max(width - deep, 1e-9)
        else:
            y, height = y + deep, max(height - deep, 1e-9)
    return made


def _narrowest(row: Sequence[float], side: float) -> float:
    """How many times longer than wide the narrowest field of a row is."""
    square = sum(row) ** 2
    return max(side**2 * max(row) / square, square / (side**2 * min(row)))


def language_bars(languages: Sequence[Mapping[str, int | str]], words: Words) -> Plot:
    """A bar for each language: pages, and those on topic."""
    shown = languages[:LANGUAGES][::-1]
    figure, (axes,) = _figure(1, height=0.8 + 0.32 * max(1, len(shown)))
    names = [str(row["language"]) or words["language_unknown"] for row in shown]
    pages, on_topic = ([int(row[name]) for row in shown] for name in ("pages", "on_topic"))
    axes.barh(names, pages, color=GREY, height=0.7, label=words["pages"])
    axes.barh(names, on_topic, color=BLUE, height=0.7, label=words["on_topic"])
    axes.legend(loc="lower right", frameon=False)
    axes.grid(visible=False, axis="y")
    return _drawn(figure, "languages")


def _figure(
    rows: int, height: float = HEIGHT, *, height_ratios: Sequence[float] | None = None, sharex: bool = False
) -> tuple["Figure", Sequence["Axes"]]:
    """A figure that belongs to nobody else: no window, no state of matplotlib's own."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    logging.getLogger("matplotlib.font_manager").setLevel(logging.ERROR)  # a font that is missing here is no news
    mpl.rcParams.update(
        {
            "svg.fonttype": "none",
            "text.parse_math": False,
            "font.family": FONTS,
            "font.size": 10,
            "axes.spines.top": False,
            "axes.spines.right": False,
            "axes.grid": True,
            "grid.color": "#dddddd",
            "grid.linewidth": 0.7,
            "axes.axisbelow": True,
            "axes.formatter.use_mathtext": False,
        }
    )
    figure = Figure(figsize=(WIDTH, height), layout="constrained" if rows > 1 else None)
    if rows == 1:
        figure.subplots_adjust(left=0.09, right=0.97, top=0.96, bottom=max(0.1, 0.5 / height))
    axes = figure.subplots(rows, 1, sharex=sharex, height_ratios=height_ratios, squeeze=False)
    return figure, [row[0] for row in axes]


def _drawn(figure: "Figure", name: str) -> Plot:
    import matplotlib as mpl

    out = io.StringIO()
    with warnings.catch_warnings(), mpl.rc_context({"svg.hashsalt": name}):
        warnings.filterwarnings("ignore", message="Glyph .* missing")  # the reader's fonts have it
        figure.savefig(out, format="svg", metadata={"Date": None}, transparent=True)
    svg = out.getvalue()
    svg = _SHEET.sub("", _META.sub("", svg[svg.index("<svg") :]), count=1)
    styles: dict[str, str] = {}

    def as_class(found: re.Match[str]) -> str:
        style = found[1].replace("&quot;", "'").replace("&#39;", "'").replace("&apos;", "'")
        return f' class="{styles.setdefault(style, f"{name}-{len(styles)}")}"'

    svg = _TAG.sub(lambda tag: _ID.sub("", _STYLE.sub(as_class, tag[0])), svg)
    return Plot(svg=svg, styles={kind: style for style, kind in styles.items()})
