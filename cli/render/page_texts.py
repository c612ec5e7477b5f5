"""What a report and the page of `ontocrawl ui` say: the names that their templates use, and the English texts.

What pages say stays as it was.
"""

from collections.abc import Mapping
from types import MappingProxyType

from cli.render.language import later, tr

TEXTS: Mapping[str, str] = {
    "between": later("; "),
    "report": later("Report on a crawl"),
    "made_at": later("Made"),
    "contents": later("Contents"),
    "pages": later("pages"),
    "on_topic": later("on topic"),
    "harvest_rate": later("harvest rate"),
    "waiting_links": later("links waiting"),
    "concepts_seen": later("concepts seen"),
    "hosts": later("hosts"),
    # the curve
    "curve": later("Harvest, and what the queue had promised"),
    "curve_note": later(
        "The dashed line is the mean place in the queue of the pages that were fetched: what the crawl "
        "expected of them. Where it stays above what came, links promise more than pages hold."
    ),
    "order_wrong": later(
        "Of all pairs of the last {pages} pages, {share} had the better page in the lower place (by chance: 50 %)."
    ),
    "harvest_so_far": later("harvest so far"),
    "harvest_of_part": later("harvest at this point"),
    "promised": later("promised: mean priority"),
    "came": later("came: mean relevance"),
    "share_on_topic": later("share on topic"),
    "priority_relevance": later("priority, relevance"),
    "pages_per_s": later("pages/s"),
    "pages_fetched": later("pages fetched"),
    "this_crawl": later("this crawl"),
    "other_crawl": later("the other crawl"),
    "no_page": later("No page was fetched yet."),
    # concepts
    "coverage": later("Coverage by concept"),
    "coverage_note": later(
        "Each concept with those below it: pages that mention it, and how many of them are on topic."
    ),
    "unfold_all": later("Unfold all"),
    "fold_all": later("Fold all"),
    "only_lacking": later("Only what is missing or too general"),
    "again": later("see above"),
    "below_lack": later("{n} below it never seen"),
    "verdict_never seen": later("never seen"),
    "verdict_below only": later("only those below"),
    "verdict_too general": later("too general"),
    "verdict_no news": later("no news"),
    "verdict_few pages": later("few pages"),
    "verdict_leads": later("leads to the topic"),
    "verdict_good": later("good"),
    "meaning_never seen": later("no page mentions it: still to be found, or in need of another word"),
    "meaning_too general": later("pages that mention it are hardly more often on topic than all pages"),
    "meaning_no news": later("none of the last tenth of the pages mentions it"),
    "meaning_good": later("pages that mention it are on topic more often than others"),
    "meaning_few pages": later("fewer than ten pages: too few to say more"),
    "meaning_below only": later("no page names it, but pages name concepts below it"),
    "meaning_leads": later("a mark of pages that lead to the topic"),
    # cards
    "best_pages": later("Best pages"),
    "best_note": later("To mark pages as good or bad, or to try another threshold: {command} ui{store}"),
    "why": later("Why it counts"),
    "listing": later("a listing"),
    "marked_good": later("marked good"),
    "no_best": later("No page is on topic."),
    # scale
    "scale": later("Relevance and the threshold"),
    "relevance": later("relevance"),
    "threshold": later("threshold"),
    "in_force": later("in force"),
    "just_in": later("Just on topic"),
    "just_out": later("Just off topic"),
    "no_scale": later("This strategy does not judge by a threshold alone."),
    # terms
    "terms": later("Candidate terms"),
    "terms_note": later(
        "Terms that pages on topic say and the ontology lacks. To keep some: "
        "{command} ontology suggest{store} -o proposals.owl"
    ),
    "term": later("term"),
    "proposed_as": later("proposed as"),
    "concept": later("concept"),
    "off_topic": later("off topic"),
    "evidence": later("evidence"),
    "terms_sampled": later("The crawl is large: one page in {every} was read for them; that command reads all."),
    "no_terms": later("None: {why}"),
    "no_terms_left": later("the ontology has the words of these pages"),
    # sites
    "sites": later("Map of sites"),
    "sites_note": later("Area: pages fetched. Colour: share on topic, from dark (none) to light (all)."),
    "other_sites": later("{n} other hosts"),
    "host": later("host"),
    "share": later("share"),
    "waiting": later("waiting"),
    "in_vain": later("in vain"),
    "languages": later("Languages"),
    "language_unknown": later("unknown"),
    # what went wrong
    "refused": later("What gave no page, and why"),
    "reason": later("reason"),
    "addresses": later("addresses"),
    "for_instance": later("for instance"),
    "left_out": later("Besides, {n} addresses were left out by the strategy: no link to them promised anything."),
    "nothing_refused": later("Every address that was asked gave a page."),
    "status_refused": later("refused"),
    "status_failed": later("failed"),
    "status_redirected": later("redirected"),
    "status_fetched": later("fetched"),
    "traps": later("Traps"),
    "no_traps": later("Nothing was cut off."),
    "trap_links": later("{n} links wait behind it"),
    # figures
    "figures": later("Figures and speed"),
    "requests": later("requests"),
    "errors": later("errors"),
    "copies": later("copies of pages under other addresses"),
    "hidden": later("pages that ask not to be indexed, so no results"),
    "reserved": later("pages reserved for text and data mining"),
    "seconds": later("seconds of crawling"),
    "strategy": later("strategy"),
    "begun": later("begun"),
    "settings": later("Settings and versions"),
    "versions_note": later("Versions are those of the machine on which this report was made."),
    "store": later("store"),
    # comparison
    "against": later("Compared with the other crawl"),
    "both": later("on topic in both"),
    "only_here": later("on topic in this crawl only"),
    "only_there": later("on topic in the other crawl only"),
    "differs": later("Concepts whose pages on topic differ most"),
    "nothing_differs": later("no concept differs"),
    # the page
    "chosen_crawl": later("Crawl"),
    "tab_results": later("Results"),
    "tab_review": later("Review"),
    "tab_ontology": later("Ontology"),
    "tab_crawl": later("Crawl"),
    "connecting": later("connecting ..."),
    "no_answer": later("No answer: this page's program has ended. Type: ontocrawl ui"),
    "no_crawl": later("No crawl has run on this machine."),
}


def texts() -> Mapping[str, str]:
    """All of them in the user's language."""
    return MappingProxyType({name: tr(english) for name, english in TEXTS.items()})
