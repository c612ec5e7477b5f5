"""All texts for people, and the files of their translations: `python -m cli.catalogue` (make texts) joins them.

A text is what the code gives to `tr`, `later` or `message`, what it gives to an error as a whole, the help of every
command and option, and what Neo4j Browser is given to read. New texts are added to each `ontocrawl.po` without a
translation, texts that are gone are taken out; what is translated stays. A test fails for a text without one.
"""

import ast
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import typer

from cli.exits import MEANINGS
from cli.render.help_texts import help_texts
from cli.stores.neo4j_browser import texts_in
from graphdb.browser.browser_files import QUERIES, browser_files
from ontology import errors
from semantic.reasons import TEMPLATES

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("ontology", "semantic", "crawler", "graphdb", "cli")
MARKS = ("tr", "later", "message")  # functions whose first argument is a text
# other calls, and which of their arguments are texts
CARRIERS = {
    "Rule": (0, 1),
    "refusal": (2,),
    **{name: (0, 1) for name in vars(errors) if isinstance(getattr(errors, name), type)},
}
# Names of states and kinds in figures: `tr` is given them by a value.
STATES = """
queued; unchanged; changed; link; all imported; max-pages; queue-empty; enough; unreachable; interrupted; synonym;
related; narrower; misleading; related name; misspelling; parent; excluded; layer; layer 1; layer 2; topic;
relatedness; results; results at the last fit; pages in the centre; words of the centre; words of the base vector;
highest Q in G_w; vertices of G_w, on any way to a result; vertices of G_w, on the ways taken to results
"""
WIDTH = 110  # of a line in the file
ABOUT = "# `make texts` adds what is new in the code. Which word stands for which: docs/translations.md\n"


def all_texts() -> dict[str, list[str]]:
    """English text -> the files that say it, in their order."""
    from cli.main import app

    found: dict[str, list[str]] = {}
    for path in sorted(path for name in PACKAGES for path in (ROOT / name).rglob("*.py")):
        for text in texts_of_code(path.read_text("utf-8")):
            _note(found, text, path.relative_to(ROOT).as_posix())
    for text in TEMPLATES.values():
        _note(found, text, "semantic/reasons.py")
    for text in re.split(r";\s", STATES.strip()):
        _note(found, text, "cli/catalogue.py")
    for text in help_texts(typer.main.get_command(app)):
        _note(found, text, "--help")
    for meaning in MEANINGS.values():
        _note(found, meaning.said, "--help")
    for name, content in browser_files().items():
        for text in texts_in(content):
            _note(found, text, f"graphdb/browser/{name}" if "/" not in name else f"graphdb/browser/{QUERIES}")
    return found


def _note(found: dict[str, list[str]], text: str, where: str) -> None:
    if re.search(r"[A-Za-z:;]", re.sub(r"\{[^}]*\}", "", text)):  # others are values alone
        places = found.setdefault(text, [])
        if where not in places:
            places.append(where)


def texts_of_code(source: str) -> Iterator[str]:
    """The texts of one file."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call):
            name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
            places = (0,) if name in MARKS else CARRIERS.get(name, ())
            for place in places:
                yield from _constants(node.args[place]) if place < len(node.args) else ()


def _constants(node: ast.expr) -> Iterator[str]:
    """A text, or each of those among which the code chooses."""
    if isinstance(node, ast.IfExp | ast.BoolOp):
        for part in node.values if isinstance(node, ast.BoolOp) else (node.body, node.orelse):
            yield from _constants(part)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value


def written(head: str, texts: Mapping[str, list[str]], told: Mapping[str, str]) -> str:
    """A file of translations. `told`: English -> translation; `head`: its first entry, as it was."""
    parts = [ABOUT + _entry("", head)]
    for text, places in texts.items():
        parts.append("".join(f"#: {place}\n" for place in places) + _entry(text, told.get(text, "")))
    return "\n".join(parts)


def _entry(text: str, told: str) -> str:
    return f"msgid {_quoted(text)}\nmsgstr {_quoted(told)}\n"


def _quoted(text: str) -> str:
    """As gettext writes it: on one line, or each line of the text on its own."""
    lines = text.splitlines(keepends=True) or [""]
    pieces = [line[at : at + WIDTH] for line in lines for at in range(0, max(len(line), 1), WIDTH)]
    quoted = ['"' + piece.translate(_ESCAPES) + '"' for piece in pieces]
    return quoted[0] if len(quoted) == 1 else "\n".join(['""', *quoted])


_ESCAPES = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\b": "\\b"})


def main() -> None:
    """Write the files anew, and say how many texts have no translation."""
    sys.path.insert(0, str(ROOT))
    from compile_texts import main as compile_all
    from compile_texts import read_texts, sources

    texts = all_texts()
    for path in sources():
        known = read_texts(path)
        path.write_text(written(known.get("", ""), texts, known), "utf-8")
        missing = sum(not known.get(text) for text in texts)
        sys.stdout.write(f"{path.relative_to(ROOT)}: {len(texts)} texts, {missing} without a translation\n")
    compile_all()


if __name__ == "__main__":
    main()
