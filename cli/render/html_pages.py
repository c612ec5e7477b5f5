"""Pages of HTML from templates. What is put in is text, whatever it says, and nothing is loaded or run but our own.

Only this file imports Jinja2. It escapes all values; `Markup` is what this program itself has made. A page names the
hashes of its one script and its one style sheet in its Content-Security-Policy, so that nothing else runs in it.
"""

import base64
import hashlib
import json
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from cli.render.language import language
from cli.render.terminal import clean

LOOK = Path(__file__).parent / "look.css"  # of the report and of the page


def page(folder: Path, name: str, *, script: str, style: str, connect: str = "'none'", **values: Any) -> str:
    """The template `name` of the folder, with its script and style sheet inside and nothing from outside. It includes
    head.html, which needs a `title`.

    `connect`: whom its script may ask for anything.
    """
    environment = Environment(
        loader=FileSystemLoader([folder, LOOK.parent]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_clean,
    )
    policy = (
        f"default-src 'none'; script-src 'sha256-{_digest(script)}'; style-src 'sha256-{_digest(style)}'; "
        f"connect-src {connect}; base-uri 'none'; form-action 'none'"
    )
    whole = environment.get_template(name).render(
        script=Markup(script),
        style=Markup(style),
        policy=policy,
        language=language(),
        **values,
    )
    return whole + "\n"


def our_markup(text: str) -> Markup:
    """Markup that this program has made: not escaped again."""
    return Markup(text)


def data(value: object) -> Markup:
    """JSON to stand in a `<script type="application/json">`: nothing in it can end the element or begin another."""
    text = json.dumps(value, ensure_ascii=True, separators=(",", ":"))
    return our_markup(text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026"))


def _clean(value: object) -> object:
    """Texts without control characters, and without what turns the direction of writing around."""
    return clean(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _digest(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")
