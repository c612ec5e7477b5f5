"""In which language a page is written, by its script first: templates often carry a wrong `lang`."""

import re

from semantic.page import Page

_SAMPLE = 4_000  # characters looked at
_SCRIPTS = (
    ("ja", re.compile(r"[\u3040-\u30ff]"), 0.05),
    ("ko", re.compile(r"[\uac00-\ud7af]"), 0.10),
    ("zh", re.compile(r"[\u3400-\u9fff\uf900-\ufaff]"), 0.10),
)


def written_language(page: Page) -> str | None:
    """Primary language tag: Japanese, Korean or Chinese by script; else what the page declares, unless it declares one
    of these three and is not written in it. None: not known.
    """
    sample = page.text[:_SAMPLE]
    for language, letters, share in _SCRIPTS:
        if len(letters.findall(sample)) > share * max(1, len(sample)):
            return language
    declared = (page.language or "").split("-")[0]
    return declared if declared and declared not in {"ja", "ko", "zh"} else None
