"""The expert's marks on the page, and judging all pages again by a process of its own or by the running crawl."""

import json
from typing import Any

from cli.marking.marking import VERDICTS, asks_the_crawl, check_marks
from cli.settings import check_threshold
from cli.ui.asked import Asked
from ontology.errors import SettingsError
from semantic.urls import readable

JOB = "rejudge"
SHOWN = 20  # pages that came and pages that went that are shown; chosen, not measured


def mark(asked: Asked) -> dict[str, Any]:
    """Keep a mark, or take it away. Raises SettingsError for a strategy that takes no marks."""
    url, verdict = asked.text("url"), asked.text("mark")
    if verdict is None or verdict not in VERDICTS or url is None:
        raise SettingsError("nothing to mark", "load the page again")
    with asked.store() as store:
        check_marks(store)
        if store.mark({url: VERDICTS[verdict]}):
            raise SettingsError("no page of this crawl", "load the page again")
    return {}


def judge(asked: Asked) -> dict[str, Any]:
    """Judge all pages again by the marks, or by another threshold. `by_crawl`: a running crawl will do it."""
    threshold = asked.number("threshold")
    check_threshold(threshold)
    where = asked.where
    words = [JOB, "--json", f"--store={where}", *([] if threshold is None else [f"--threshold={threshold:g}"])]
    with asked.store() as store:
        if not _is_busy(asked) and asks_the_crawl(store, threshold):
            return {"by_crawl": True}
    asked.jobs.begin(where, JOB, words)
    return {"by_crawl": False}


def judged(asked: Asked) -> dict[str, Any]:
    """Whether that is still being done, and what it has changed. Raises SettingsError if it has failed."""
    job = asked.jobs.state(asked.where, JOB)
    if job is None or job["code"] is None:
        return {"busy": job is not None, "changes": None}
    if job["code"] != 0:
        raise SettingsError(" ".join(job["said"][-2:]), "")
    changes = json.loads(job["answer"])
    for name in ("gained", "lost"):
        changes[f"{name}_pages"] = len(changes[name])
        changes[name] = [
            {"url": one["url"], "title": one["title"] or readable(one["url"]), "relevance": one["relevance"]}
            for one in changes[name][:SHOWN]
        ]
    return {"busy": False, "changes": changes}


def _is_busy(asked: Asked) -> bool:
    job = asked.jobs.state(asked.where, JOB)
    return job is not None and job["code"] is None
