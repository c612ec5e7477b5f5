"""Words typed and a file of settings -> one frozen `Settings`.

What is typed wins over the file; the file wins over the defaults here. The file is TOML with the fields' names as keys
(`max_pages` or `max-pages`), a strategy's parameters in a table of their own:

    ontology = "topic.owl"
    seeds = ["seeds.txt"]
    max_pages = 2000

    [parameters]
    opening = 0.2
"""

import shlex
import shutil
import sys
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from crawler.fetch.ssrf_guard import without_password
from ontology.errors import SettingsError

COMMAND = "ontocrawl"
DEFAULT_STORE = "./ontocrawl-store"
DEFAULT_STRATEGY = "fused"
DEFAULT_SEGMENTER = "dictionary"  # as in semantic/segmentation, which would cost `--help` a tenth of a second
PORTS = 65_536


@dataclass(frozen=True, slots=True)
class Settings:
    """One crawl as the user wants it. `delay` in seconds; `seeds`: files or addresses; `allow`, `insecure_host`: names.

    `ontology` is None only for a strategy that needs none.
    """

    ontology: str | None
    seeds: tuple[str, ...]
    max_pages: int
    store: str = DEFAULT_STORE
    strategy: str = DEFAULT_STRATEGY
    threshold: float | None = None
    parameters: Mapping[str, float] = field(default_factory=dict)
    reason: bool = False
    generations: int | None = None
    examples: str | None = None
    archive: str | None = None
    warc: str | None = None
    proxy: str | None = None
    delay: float = 1.0
    connections: int = 16
    per_host: int = 1
    allow: tuple[str, ...] = ()
    insecure_host: tuple[str, ...] = ()
    allow_trap: tuple[str, ...] = ()
    recrawl: bool = False
    seed: int = 0
    max_depth: int | None = None
    segmenter: str = DEFAULT_SEGMENTER
    lang: str | None = None


NAMES = tuple(f.name for f in fields(Settings))
FILES = ("ontology", "examples", "archive", "warc")  # taken relative to the file of settings that names them
TEXT, WHOLE, NUMBER, FLAG, LIST, TABLE = (str,), (int,), (int, float), (bool,), (list,), (dict,)
WORDS = {
    TEXT: "a string",
    WHOLE: "a whole number",
    NUMBER: "a number",
    FLAG: "true or false",
    LIST: "a list of strings",
    TABLE: "a table of numbers",
}
KINDS = {
    "ontology": TEXT,
    "seeds": LIST,
    "max_pages": WHOLE,
    "store": TEXT,
    "strategy": TEXT,
    "threshold": NUMBER,
    "parameters": TABLE,
    "reason": FLAG,
    "generations": WHOLE,
    "examples": TEXT,
    "archive": TEXT,
    "warc": TEXT,
    "proxy": TEXT,
    "delay": NUMBER,
    "connections": WHOLE,
    "per_host": WHOLE,
    "allow": LIST,
    "insecure_host": LIST,
    "allow_trap": LIST,
    "recrawl": FLAG,
    "seed": WHOLE,
    "max_depth": WHOLE,
    "segmenter": TEXT,
    "lang": TEXT,
}


def command_word() -> str:
    """How this command can be typed here: by its name where the shell finds it, else by its path."""
    called = Path(sys.argv[0])
    if called.name != COMMAND or called.parent == Path() or shutil.which(COMMAND) == str(called):
        return COMMAND
    here = Path.cwd()
    return shlex.quote(str(called.relative_to(here) if called.is_relative_to(here) else called))


def store_words(store: str) -> str:
    """The option that names a store in a command that is suggested; nothing for the default."""
    return "" if store == DEFAULT_STORE else f" --store {shlex.quote(store)}"


def make_settings(typed: Mapping[str, Any], path: Path | None = None) -> Settings:
    """Join what was typed (None or empty: not typed) with the file at `path`. Raises SettingsError."""
    values = read_settings_file(path) if path else {}
    values.update({name: value for name, value in typed.items() if value not in (None, [], ())})
    if "ontology" not in values:
        check_without_ontology([values.get("strategy", DEFAULT_STRATEGY)])
    for name in ("seeds", "max_pages"):
        if name not in values:
            raise SettingsError(f"--{name.replace('_', '-')} is missing", "see: ontocrawl crawl --help")
    for name in ("seeds", "allow", "insecure_host", "allow_trap"):
        values[name] = tuple(values.get(name, ()))
    values["allow"] = tuple(map(_allowed, values["allow"]))
    values["insecure_host"] = tuple(_host("--insecure-host", typed) for typed in values["insecure_host"])
    settings = Settings(**{"ontology": None, **values})
    _check(settings)
    return settings


def read_settings_file(path: Path) -> dict[str, Any]:
    """The values a TOML file gives, files named in it relative to its folder. Raises SettingsError."""
    try:
        raw = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path} cannot be read: {error}", "give --settings a readable TOML file") from error
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"{path} is not TOML: {error}", 'strings need quotes: ontology = "topic.owl"') from error
    values = {_known(key, path): value for key, value in raw.items()}
    for name, value in values.items():
        _check_kind(name, value, path)
    return {name: _beside(path, name, value) for name, value in values.items()}


def _known(key: str, path: Path) -> str:
    name = key.replace("-", "_")
    if name in NAMES:
        return name
    near = get_close_matches(name, NAMES, n=1, cutoff=0.5)
    cure = f"did you mean {near[0]}?" if near else f"known are: {', '.join(NAMES)}"
    raise SettingsError(f"{path}: nothing is called {key!r}", cure)


def _check_kind(name: str, value: object, path: Path) -> None:
    kinds = KINDS[name]
    if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
        raise SettingsError(f"{path}: {name} = {value!r}", f"{name} is {WORDS[kinds]}")
    if isinstance(value, list) and not all(isinstance(item, str) for item in value):
        raise SettingsError(f"{path}: {name} = {value!r}", f"{name} is a list of strings")
    if isinstance(value, dict) and not all(type(item) in (int, float) for item in value.values()):
        raise SettingsError(f"{path}: [{name}] holds what is no number", f"each line of [{name}] reads: name = number")


def _beside(path: Path, name: str, value: Any) -> Any:
    if name in FILES:
        return str(path.parent / value)
    if name == "seeds":
        return [_seed(path.parent, seed) for seed in value]
    if name == "segmenter":
        kind, colon, folder = value.partition(":")
        return f"{kind}:{path.parent / folder}" if colon else value
    return value


def _seed(folder: Path, seed: str) -> str:
    from cli.inputs.seed_lists import is_bare

    beside = folder / seed
    return seed if "://" in seed or (not beside.exists() and is_bare(seed)) else str(beside)


def _allowed(typed: str) -> str:
    """A host as the crawl spells it, with the port where one was typed: `localhost:80`, `[::1]:80`."""
    host, _, port = typed.rpartition(":")
    is_port = port.isascii() and port.isdigit() and 0 < int(port[:6]) < PORTS
    if not host or not is_port or (":" in host and not host.endswith("]")):
        return _host("--allow", typed)
    name = _host("--allow", host)
    return f"[{name}]:{int(port)}" if ":" in name else f"{name}:{int(port)}"


def _host(option: str, typed: str) -> str:
    """A host as the crawl spells it: lower case, ASCII (punycode), an address of IPv6 without brackets."""
    from semantic.urls import host_of, normalise

    url = normalise(f"http://[{typed.strip('[]')}]/" if typed.count(":") > 1 else f"http://{typed}/")
    host = host_of(url) if url else ""
    if url != f"http://{host}/" or (":" in host and not host.startswith("[")):
        raise SettingsError(f"{option} {typed} is no host", f"give its name alone: {option} localhost")
    return host.strip("[]")


def _check(settings: Settings) -> None:
    if settings.archive and settings.proxy:
        raise SettingsError("--archive and --proxy exclude each other", "take the pages from one of the two")
    if settings.archive and settings.warc:
        raise SettingsError("--archive and --warc exclude each other", "what comes from an archive is in one already")
    if settings.proxy is not None and not settings.proxy.startswith(("http://", "https://")):
        raise SettingsError(
            f"--proxy {without_password(settings.proxy)} is no proxy's address", "write http://127.0.0.1:8888"
        )
    if settings.generations is not None and settings.generations < 0:
        raise SettingsError(f"{settings.generations} generations make no sense", "give --generations 0 or more")
    if settings.threshold is not None and not settings.threshold >= 0:
        raise SettingsError(f"a threshold of {settings.threshold} makes no sense", "give --threshold 0 or more")
    if settings.segmenter != DEFAULT_SEGMENTER:
        from semantic.segmentation.segmenter_choice import check_segmenter

        check_segmenter(settings.segmenter)
    if settings.parameters:
        from semantic.strategies.strategy_table import check_parameters

        check_parameters(settings.parameters)
    for trap in settings.allow_trap:
        if trap.startswith(("http://", "https://")) or "/" not in trap:
            raise SettingsError(f"--allow-trap {trap} is no trap's name", "ontocrawl status --traps tells their names")


def check_without_ontology(strategies: Iterable[str]) -> None:
    """Raise SettingsError where one of the strategies cannot do without."""
    from semantic.strategies.strategy_table import STRATEGIES, strategy_row

    free = ", ".join(name for name, row in STRATEGIES.items() if not row.ontology)
    for name in strategies:
        if strategy_row(name).ontology:
            raise SettingsError(f"--ontology is missing: strategy '{name}' needs one", f"only {free} needs none")
