"""The page's tab of the crawl: how it runs, and what a person wants of it."""

from collections.abc import Mapping
from typing import Any

from cli.live.live_door import ask_crawl
from cli.render.language import tr
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
