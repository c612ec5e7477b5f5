"""The page's tab of results."""

from collections.abc import Mapping

from cli.ui.asked import Answer

ANSWERS: Mapping[str, Answer] = {}
TEXTS: Mapping[str, str] = {}  # by the names that its template and script use
