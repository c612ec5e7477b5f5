"""The page's tab of review: the ten pages whose marks teach most, as `ontocrawl review` asks about them."""

from collections.abc import Mapping
from typing import Any

from cli.crawling.changed_settings import threshold_of
from cli.marking.marking import check_marks, next_to_review
from cli.recorded.recorded_marks import marks_counted, marks_line
from cli.recorded.recorded_verdicts import stored_settings, verdicts
from cli.render.language import later
from cli.ui.asked import Answer, Asked
from cli.ui.shown_results import shown


def ten(asked: Asked) -> dict[str, Any]:
    """The pages of one round. `skipped`: addresses that a person does not want to be asked about again."""
    skipped = set(asked.texts("skipped"))
    with asked.store() as store:
        check_marks(store)
        settings = stored_settings(store)
        threshold = threshold_of(settings.strategy, settings.threshold, settings.parameters)
        found = {url: page for url, page in verdicts(store).items() if url not in skipped}
        urls = [page.url for page in next_to_review(found, threshold, {})]
        pages = [row["id"] for row in store.ask("results", "numbered", urls=urls)]
        marks = marks_line(marks_counted(store, settings.strategy))
        return {"rows": shown(store, asked.where, pages), "marks": marks, "threshold": threshold}


ANSWERS: Mapping[str, Answer] = {"review.ten": ten}
TEXTS: Mapping[str, str] = {
    "review_note": later(
        "The ten pages whose marks teach most. Does a page belong to the results? After the tenth all pages are "
        "judged again."
    ),
    "review_keys": later(
        "Keys: g good, b bad, h hub (no result, but its links lead to results), "
        "s skip, u undo, o or Enter open, j or ↓ next, k or ↑ back"
    ),
    "review_state": later("Marks: {marks}. Threshold: {threshold}."),
    "review_done": later("Every page is marked or skipped."),
    "skip": later("skip"),
    "judge_now": later("Judge now"),
}
