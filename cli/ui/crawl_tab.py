"""The page's tab of the crawl: how it runs, and what a person wants of it."""

from collections.abc import Mapping
from typing import Any

from cli.live.live_door import ask_crawl
from cli.render.language import later
from cli.ui.asked import Answer, Asked
from ontology.errors import SettingsError


def live(asked: Asked) -> dict[str, Any] | None:
    """The state of the crawl that runs; None if none does."""
    return ask_crawl(asked.where, {})


def want(asked: Asked) -> dict[str, Any]:
    """Pass a wish on to the crawl that runs. Raises SettingsError if it refuses, or if none runs."""
    answer = ask_crawl(asked.where, {name: value for name, value in asked.words.items() if name != "store"})
    if answer is None:
        raise SettingsError("no crawl runs in this store", "begin it again")
    if "error" in answer:
        raise SettingsError(str(answer["error"]), "")
    return answer


ANSWERS: Mapping[str, Answer] = {"crawl.live": live, "crawl.want": want}
TEXTS: Mapping[str, str] = {
    "no_run": later("No crawl runs in this store."),
    "is_running": later("running"),
    "is_judging": later("judging all pages anew; the crawl goes on after that"),
    "is_paused": later("paused: nothing more is asked for until you resume"),
    "pause": later("Pause"),
    "resume": later("Resume"),
    "stop": later("Stop"),
    "stop_sure": later("End the crawl? All is saved, and the same command goes on later."),
    "under_way": later("Being fetched, and why"),
    "next": later("The best that waits:"),
    "queue_by_host": later("Queue by host"),
    "last_pages": later("Last pages, and why they count"),
    "raise_host": later("First"),
    "ban_host": later("Ban"),
    "clear_host": later("As before"),
    "banned": later("banned"),
    "raised": later("first"),
    "good": later("good"),
    "bad": later("bad"),
    "judge_anew": later("Judge anew by the marks"),
    "judge_note": later(
        "Marks are kept at once; all pages and links follow them when you judge anew, or with the next run."
    ),
}
