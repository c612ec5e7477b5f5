"""The settings of a crawl: typed options and a settings file become one frozen `Settings`.

Typed options override the file, and the file overrides the defaults here. The file is TOML with the fields' names as
keys (`max_pages` or `max-pages`) and a table for the strategy's parameters:

    ontology = "topic.owl"
    seeds = ["seeds.txt"]
    max_pages = 2000

    [parameters]
    opening = 0.2
"""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from difflib import get_close_matches
from math import inf
from pathlib import Path
from typing import Annotated, Any, get_type_hints
from urllib.parse import urlsplit

from cli.inputs.given_files import read_given, text_of
from cli.render.language import command_word, later, listed, tr
from cli.render.terminal import cut
from cli.store_option import DEFAULT_STORE
from graphdb.store_folder import is_server
from ontology.errors import SettingsError
from ontology.file_failures import is_there
from semantic.urls import without_password

DEFAULT_STRATEGY = "fused"
PATIENCE = 0.98  # measured: benchmarks/README.md, "Patience"
ONE_WORKER = "1"
# the name in semantic/segmentation; importing it would slow `--help` by a tenth of a second
DEFAULT_SEGMENTER = "dictionary"
# ports are numbers below this: RFC 9293, 3.1
PORTS = 65_536
LARGEST = 10**15  # of a number; chosen, not measured: floats hold all whole numbers up to nine times that
LONGEST = 32_767  # characters of a string; chosen, not measured: paths of Linux have 4,095 bytes at most
SHOWN = 80  # columns of a value in a message; chosen, not measured
# variables in which most programs look for a proxy; a crawl takes only --proxy
PROXIES = ("https_proxy", "HTTPS_PROXY", "http_proxy", "HTTP_PROXY")


SEEDS_HELP = "Where to begin: an address, or a file of addresses. May be repeated."
STORE_HELP = "The folder of the crawl, with its record crawl.sqlite."
GRAPH_HELP = (
    "Fill the graph of a Neo4j server during the crawl; user and password: NEO4J_USERNAME, NEO4J_PASSWORD. "
    "--store bolt://HOST does the same, with the record in the usual folder."
)
SEGMENTER_HELP = "How Chinese is split into words: dictionary, hanlp (a neural model, slow), or hanlp:DIR."
EXAMPLES_HELP = "A file of pages to learn from, with lines such as 'good detail https://…', 'bad page.html'."
COUNT = "N"
INCLUDE_HELP = (
    "Fetch only addresses that match: 'example.org/tea/*', '/login*', '*.pdf'. Quote it; * stands for any characters. "
    "It is compared with the address without its scheme; if it begins with http, with the whole address; if it begins "
    "with /, with the part after the host. May be repeated; one match is enough. Seeds are always fetched."
)
EXCLUDE_HELP = "Never fetch addresses that match. May be repeated, and overrides --include."
STAY_ON_HOST_HELP = "Fetch only from the seeds' hosts, with or without www."
STAY_ON_DOMAIN_HELP = "Fetch only from the seeds' registered domains: for a.example.co.uk all of example.co.uk."
CONNECTIONS_HELP = (
    "Connections open at once, to all hosts together. A new crawl opens more with each answer, all after 500; from 32 "
    "on all at once."
)
WORKERS_HELP = (
    "Fetch and read in N processes, each with its own --connections; or on a Ray cluster, one for each CPU. "
    "More than 1 needs: pip install 'ontocrawl[ray]'."
)
MINUTES_HELP = "Stop after N minutes, pauses included. Patience shrinks if --max-pages would take longer."
PATIENCE_HELP = (
    "How long to wait for a better link while its host rests. A link loses the share 1-P of its priority for each "
    "--delay of waiting; then the best link is fetched. 0 waits for nothing; 1 always waits for the best link, but "
    "not for hosts that rest longer than a minute."
)
CONTACT_HELP = "Where owners of sites can reach you: you@example.org, or a URL. It is sent in the User-Agent."
UNTIL_HELP = "Stop as soon as every concept that can be covered has N pages on topic."
ONTOLOGY_HELP = "The topic, as Protégé saves it. Only the strategy 'customised' needs none."
STRATEGY_HELP = "How pages are judged and links ordered. Keep the default, unless you do research on crawling."
THRESHOLD_HELP = "A page with at least this relevance is on topic."
RENDER_HELP = (
    "Run the scripts of pages that have hardly any text without them, in a Chromium of this machine that has no "
    "network: auto finds it, PATH names it."
)
DEPTH_HELP = "Fetch pages at most N links from a seed."
REASON_HELP = "First classify the defined classes by a reasoner (needs Java)."
ARCHIVE_HELP = "Read pages from WARC or WACZ files, or a folder of them, instead of the network."
LANG_HELP = "The language of messages and of concepts' names."
FILE_HELP = "A TOML file with options of crawl. Options typed here override it."


@dataclass(frozen=True, slots=True)
class Option:
    """How `ontocrawl crawl --help` describes a setting. `value`: placeholder for its value; `default`: in words."""

    help: str
    value: str | None = None
    default: str | None = None


Text = str | None
Whole = int | None
Number = float | None
Texts = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Settings:
    """One crawl as the user wants it. Each setting is defined only here: its type, its default and its help.

    `cli.commands` makes options from it, `read_settings_file` the keys of the file. `ontology` is None only for a
    strategy that needs none. `parameters` can be given only in the file.
    """

    ontology: Annotated[Text, Option(ONTOLOGY_HELP, "FILE")]
    seeds: Annotated[Texts, Option(SEEDS_HELP, "FILE|URL")]
    max_pages: Annotated[
        int,
        Option("Stop at this number of pages (HTML or documents) in all runs.", COUNT),
    ]
    max_minutes: Annotated[Number, Option(MINUTES_HELP, COUNT, "no limit")] = None
    until_covered: Annotated[
        Whole,
        Option(UNTIL_HELP, COUNT, "off"),
    ] = None
    max_depth: Annotated[Whole, Option(DEPTH_HELP, COUNT, "no limit")] = None
    include: Annotated[Texts, Option(INCLUDE_HELP, "PATTERN")] = ()
    exclude: Annotated[Texts, Option(EXCLUDE_HELP, "PATTERN")] = ()
    stay_on_host: Annotated[bool, Option(STAY_ON_HOST_HELP)] = False
    stay_on_domain: Annotated[bool, Option(STAY_ON_DOMAIN_HELP)] = False
    store: Annotated[str, Option(STORE_HELP, "DIR")] = DEFAULT_STORE
    graph: Annotated[Text, Option(GRAPH_HELP, "bolt://HOST")] = None
    strategy: Annotated[str, Option(STRATEGY_HELP)] = DEFAULT_STRATEGY
    threshold: Annotated[Number, Option(THRESHOLD_HELP, default="the strategy's own")] = None
    parameters: Mapping[str, float] = field(default_factory=dict)
    results: Annotated[
        Text,
        Option("all: the relevance of listings counts in full, not half.", "all"),
    ] = None
    reason: Annotated[bool, Option(REASON_HELP)] = False
    generations: Annotated[
        Whole, Option("A word counts for a feature that is at most N steps above it.", COUNT, "no limit")
    ] = None
    examples: Annotated[Text, Option(EXAMPLES_HELP, "FILE")] = None
    archive: Annotated[
        Text,
        Option(ARCHIVE_HELP, "FILE|DIR"),
    ] = None
    warc: Annotated[
        Text,
        Option(
            "Write everything fetched to WARC files in this folder, or to NAME.wacz.",
            "DIR|FILE",
        ),
    ] = None
    render: Annotated[str, Option(RENDER_HELP, "off|auto|PATH")] = "off"
    proxy: Annotated[Text, Option("An HTTP proxy for all requests.", "URL")] = None
    contact: Annotated[Text, Option(CONTACT_HELP, "TEXT")] = None
    delay: Annotated[float, Option("Seconds between two requests to one host.", "S")] = 1.0
    patience: Annotated[float, Option(PATIENCE_HELP, "P")] = PATIENCE
    connections: Annotated[int, Option(CONNECTIONS_HELP, COUNT)] = 16
    per_host: Annotated[int, Option("Connections open at once to one host. More than 1 needs --delay 0.", COUNT)] = 1
    workers: Annotated[str, Option(WORKERS_HELP, "N|ray://HOST:PORT")] = ONE_WORKER
    allow: Annotated[
        Texts, Option("Allow requests to a private or local host, or only to its port: HOST:PORT.", "HOST")
    ] = ()
    insecure_host: Annotated[
        Texts, Option("A host whose certificate is not verified and whose TLS may be old. May be repeated.", "HOST")
    ] = ()
    allow_trap: Annotated[
        Texts, Option("Fetch what waits behind this trap (names: `status --traps`). May be repeated.", "NAME")
    ] = ()
    respect: Annotated[
        Text,
        Option("tdm: leave out pages that reserve text and data mining; else this is only recorded.", "tdm"),
    ] = None
    recrawl: Annotated[bool, Option("First judge all stored pages again, and request those on topic again.")] = False
    watch: Annotated[bool, Option("When the ontology's file is saved, judge all pages again by it, and continue.")] = (
        False
    )
    dashboard: Annotated[
        Whole, Option("Also open the page of ontocrawl ui, at this port; 0: any free one.", "PORT")
    ] = None
    seed: Annotated[int, Option("Breaks ties between links. Only 'fused' uses it.", COUNT)] = 0
    lang: Annotated[
        Text,
        Option(
            LANG_HELP,
            "zh|en|…",
            "that of the locale, else of the pages",
        ),
    ] = None
    segmenter: Annotated[str, Option(SEGMENTER_HELP, "NAME")] = DEFAULT_SEGMENTER


# what every crawl needs, with examples; some strategies need no ontology
NEEDED = {"ontology": "topic.owl", "seeds": "https://example.org/", "max_pages": "100"}
NAMES = tuple(f.name for f in fields(Settings))
FILES = ("ontology", "examples", "archive", "warc")  # file names, relative to the settings file that contains them
# type of a setting -> accepted types in TOML, and their name in messages
KINDS: dict[object, tuple[tuple[type, ...], str]] = {
    str: ((str,), later("a string")),
    Text: ((str,), later("a string")),
    int: ((int,), later("a whole number")),
    Whole: ((int,), later("a whole number")),
    float: ((int, float), later("a number")),
    Number: ((int, float), later("a number")),
    bool: ((bool,), later("true or false")),
    Texts: ((list,), later("a list of strings")),
    Mapping[str, float]: ((dict,), later("a table of numbers")),
}


def make_settings(typed: Mapping[str, Any], path: Path | None = None) -> Settings:
    """Combine typed options (None or empty: not typed) with the file at `path`. Raises SettingsError."""
    values = read_settings_file(path) if path else {}
    values.update({name: value for name, value in typed.items() if value not in (None, [], ())})
    _check_complete(values)
    if "ontology" not in values:
        if values.get("until_covered"):
            raise SettingsError("--until-covered: there is no ontology to cover", "give one with --ontology")
        if values.get("watch"):
            raise SettingsError("--watch: there is no ontology to follow", "give one with --ontology, or leave it out")
    for name in ("seeds", "allow", "insecure_host", "allow_trap", "include", "exclude"):
        values[name] = tuple(values.get(name, ()))
    values["allow"] = tuple(map(_allowed, values["allow"]))
    values["insecure_host"] = tuple(_host("--insecure-host", typed) for typed in values["insecure_host"])
    if is_server(values.get("store", "")):
        values["graph"], values["store"] = values["store"], DEFAULT_STORE
    settings = Settings(**{"ontology": None, **values})
    _check(settings)
    return settings


def _check_complete(values: Mapping[str, Any]) -> None:
    """Raise SettingsError that names all that a crawl needs and lacks, with an example of the whole command."""
    strategy = values.get("strategy", DEFAULT_STRATEGY)
    missing = [name for name in NEEDED if name not in values and (name != "ontology" or _needs_ontology(strategy))]
    if missing == ["ontology"]:
        check_without_ontology([strategy])
    if missing:
        examples = [f"--{name.replace('_', '-')} {NEEDED[name]}" for name in missing]
        raise SettingsError(
            tr("missing: {names}", names=listed(example.split()[0] for example in examples)),
            tr("add them, as in: {command}", command=f"{command_word()} crawl {' '.join(examples)}"),
        )


def read_settings_file(path: Path) -> dict[str, Any]:
    """The values in a TOML file. Files named in it are relative to its folder. Raises SettingsError."""
    text = read_given("--settings", path, text_of, tr("give --settings a TOML file with options of crawl"))
    try:
        raw = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(
            tr("{path} is not TOML: {error}", path=path, error=error), 'strings need quotes: ontology = "topic.owl"'
        ) from error
    except (ValueError, RecursionError) as error:  # `int` takes 4,300 digits
        why = tr("a number has too many digits") if isinstance(error, ValueError) else tr("it is nested too deeply")
        raise SettingsError(f"{path}: {why}", tr("write each option in one line: name = value")) from error
    values = {_known(key, path): value for key, value in raw.items()}
    for name, value in values.items():
        _check_kind(name, value, path)
    return {name: _beside(path, name, value) for name, value in values.items()}


def _known(key: str, path: Path) -> str:
    name = key.replace("-", "_")
    if name in NAMES:
        return name
    near = get_close_matches(name, NAMES, n=1, cutoff=0.5)
    cure = tr("did you mean {near}?", near=near[0]) if near else tr("known are: {names}", names=listed(NAMES))
    raise SettingsError(tr("{path}: nothing is called {key!r}", path=path, key=key), cure)


def _check_kind(name: str, value: object, path: Path) -> None:
    kinds, words = KINDS[get_type_hints(Settings)[name]]
    place = f"{path}: {name} = {shown(value)}"
    if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
        raise SettingsError(place, tr("{name} is {words}", name=name, words=tr(words)))
    if isinstance(value, list) and not all(isinstance(item, str) for item in value):
        raise SettingsError(place, tr("{name} is a list of strings", name=name))
    items = value if isinstance(value, list) else value.values() if isinstance(value, dict) else [value]
    if cure := next(filter(None, map(_unusable, items)), ""):
        raise SettingsError(place, cure)
    wrong = [key for key, item in value.items() if type(item) not in (int, float)] if isinstance(value, dict) else []
    if wrong:
        raise SettingsError(
            tr("{path}: in [{name}], {key} is no number", path=path, name=name, key=wrong[0]),
            tr("write the option above [{name}]: all that follows belongs to it", name=name)
            if wrong[0].replace("-", "_") in NAMES
            else tr("each line of [{name}] reads: name = number", name=name),
        )


def _unusable(value: object) -> str:
    """What to write instead of a string that can name nothing, or of a number that nothing can count to; else ''."""
    if isinstance(value, str) and ("\0" in value or len(value) > LONGEST):
        return tr("write at most {longest:,} characters, and no zero byte (\\u0000)", longest=LONGEST)
    if isinstance(value, int | float) and not abs(value) <= LARGEST:  # infinity and nan, too
        return tr("write a number up to {largest:,}", largest=LARGEST)
    return ""


def shown(value: object) -> str:
    """A value of a settings file in a message, cut where it is long."""
    try:
        return cut(repr(value), SHOWN)
    except (ValueError, RecursionError):  # a number of more than 4,300 digits, or nested tables
        return "…"


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
    return seed if "://" in seed or (not is_there(beside) and is_bare(seed)) else str(beside)


def _allowed(typed: str) -> str:
    """A host in the crawl's spelling, with the port if one was typed: `localhost:80`, `[::1]:80`."""
    host, _, port = typed.rpartition(":")
    is_port = port.isascii() and port.isdigit() and 0 < int(port[:6]) < PORTS
    if not host or not is_port or (":" in host and not host.endswith("]")):
        return _host("--allow", typed)
    name = _host("--allow", host)
    return f"[{name}]:{int(port)}" if ":" in name else f"{name}:{int(port)}"


def _host(option: str, typed: str) -> str:
    """A host in the crawl's spelling: lower case, ASCII (punycode), an IPv6 address without brackets."""
    from semantic.urls import host_of, normalise

    url = normalise(f"http://[{typed.strip('[]')}]/" if typed.count(":") > 1 else f"http://{typed}/")
    host = host_of(url) if url else ""
    if url != f"http://{host}/" or (":" in host and not host.startswith("[")):
        raise SettingsError(
            tr("{option} {typed} is no host", option=option, typed=typed),
            tr("give its name alone: {option} localhost", option=option),
        )
    return host.strip("[]")


def _check(settings: Settings) -> None:
    if settings.archive and settings.proxy:
        raise SettingsError("--archive and --proxy exclude each other", "take the pages from one of the two")
    if settings.archive and settings.warc:
        raise SettingsError("--archive and --warc exclude each other", "what comes from an archive is in one already")
    if (settings.warc or "").lower().endswith(".wacz") and settings.workers != ONE_WORKER:
        raise SettingsError("several workers cannot write one WACZ file", "give --warc a folder")
    if settings.proxy is not None and not settings.proxy.startswith(("http://", "https://")):
        raise SettingsError(
            tr("--proxy {proxy} is no proxy's address", proxy=without_password(settings.proxy)),
            "write http://127.0.0.1:8888",
        )
    _check_words(settings)
    _check_contact(settings.contact)
    _check_numbers(settings)
    _check_workers(settings.workers)
    if settings.render != "off":
        from crawler.render.engine_process import engine_path

        engine_path(settings.render)
    if settings.segmenter != DEFAULT_SEGMENTER:
        from semantic.segmentation.word_segmentation import check_segmenter

        check_segmenter(settings.segmenter)
    if settings.parameters:
        from semantic.strategies.strategy_table import check_parameters

        check_parameters(settings.parameters)
    check_patterns(settings.include, settings.exclude)
    for trap in settings.allow_trap:
        if trap.startswith(("http://", "https://")) or "/" not in trap:
            raise SettingsError(
                tr("--allow-trap {trap} is no trap's name", trap=trap), "{command} status --traps shows their names"
            )


def _check_words(settings: Settings) -> None:
    for name, word in (("results", "all"), ("respect", "tdm")):
        value = getattr(settings, name)
        if value not in (None, word):
            raise SettingsError(
                tr("--{name} {value} is not known", name=name, value=shown(value)),
                tr("write --{name} {word}, or leave it out", name=name, word=word),
            )


def _check_contact(contact: str | None) -> None:
    """Raise SettingsError for what cannot stand in a header's comment (RFC 9110, 5.6.5), which is read in ASCII."""
    if contact is None:
        return
    if not contact.strip() or not (contact.isascii() and contact.isprintable()) or set(contact) & set("()\\"):
        raise SettingsError(
            tr("--contact {contact} cannot stand in a User-Agent", contact=shown(contact)),
            "give an address or a URL in ASCII on one line, without parentheses: --contact you@example.org",
        )


def _check_numbers(settings: Settings) -> None:
    for name in NAMES:
        value = getattr(settings, name)
        if isinstance(value, int | float) and LARGEST < abs(value) < inf:  # what is no number is told by its own check
            raise SettingsError(f"--{name.replace('_', '-')} {shown(value)}", _unusable(value))
    if settings.generations is not None and settings.generations < 0:
        raise SettingsError(
            tr("{generations} generations make no sense", generations=settings.generations),
            "give --generations 0 or more",
        )
    if settings.until_covered is not None and settings.until_covered < 1:
        raise SettingsError(
            tr("--until-covered {until_covered} makes no sense", until_covered=settings.until_covered),
            "give 1 page or more",
        )
    if settings.dashboard is not None and not 0 <= settings.dashboard < PORTS:
        raise SettingsError(
            tr("{dashboard} is no port", dashboard=settings.dashboard),
            "give --dashboard 8080, or 0 for any that is free",
        )
    check_threshold(settings.threshold)


def check_threshold(threshold: float | None) -> None:
    """Raise SettingsError for a threshold with which no relevance can be compared."""
    if threshold is not None and not 0 <= threshold <= 1:
        raise SettingsError(
            tr("--threshold {threshold:g} is not between 0 and 1, where every relevance lies", threshold=threshold),
            "give a number from 0 to 1; {command} threshold shows how many pages each would keep",
        )


def _is_cluster(words: str) -> bool:
    try:
        head = urlsplit(words)
        return words == f"ray://{head.netloc}" and bool(head.hostname and head.port) and not set(words) & set(" @")
    except ValueError:
        return False


def _check_workers(words: str) -> None:
    is_number = words.isascii() and words.isdecimal() and len(words) < 10 and int(words) >= 1
    if not is_number and not _is_cluster(words):
        raise SettingsError(
            tr("--workers {words} is neither a number of workers nor a cluster's address", words=words),
            "give --workers 2 for this machine, or --workers ray://HOST:10001 for a cluster that runs",
        )
    if words != ONE_WORKER:
        from crawler.cluster.ray_actors import check_memory, check_ray

        check_ray()
        if is_number:
            check_memory(int(words))


def check_patterns(include: Iterable[str], exclude: Iterable[str]) -> None:
    """Raise SettingsError for a pattern that no address can match."""
    from crawler.frontier.scope import never_fits

    for option, patterns in (("--include", include), ("--exclude", exclude)):
        for pattern in filter(never_fits, patterns):
            cure = (
                tr("write '{pattern}/*' for a host, '*{pattern}*' for a part of addresses", pattern=pattern)
                if pattern.strip()
                else ""
            )
            raise SettingsError(
                tr("{option} '{pattern}' fits no address", option=option, pattern=pattern),
                cure or tr("leave it out, or write '*' for all"),
            )


def check_without_ontology(strategies: Iterable[str]) -> None:
    """Raise SettingsError if one of the strategies needs an ontology."""
    from semantic.strategies.strategy_table import STRATEGIES

    free = listed(name for name, row in STRATEGIES.items() if not row.ontology)
    for name in filter(_needs_ontology, strategies):
        raise SettingsError(
            tr("--ontology is missing: strategy '{name}' needs one", name=name),
            tr("give the file that Protégé saved: --ontology topic.owl; only {free} needs none", free=free),
        )


def _needs_ontology(strategy: str) -> bool:
    """Raises SettingsError for an unknown strategy."""
    from semantic.strategies.strategy_table import strategy_row

    return strategy_row(strategy).ontology
