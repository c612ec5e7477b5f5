"""The command `ontocrawl simulate`."""

from pathlib import Path
from typing import Annotated

import typer

from cli.settings import (
    COUNT,
    DEFAULT_SEGMENTER,
    DEPTH_HELP,
    EXAMPLES_HELP,
    EXCLUDE_HELP,
    INCLUDE_HELP,
    PATIENCE,
    PATIENCE_HELP,
    SEEDS_HELP,
    SEGMENTER_HELP,
    STAY_ON_DOMAIN_HELP,
    STAY_ON_HOST_HELP,
    Settings,
)

lab_app = typer.Typer()


@lab_app.command(
    epilog="""\b
Examples:
  ontocrawl simulate --archive web.warc.gz --ontology topic.owl --seeds seeds.txt --max-pages 2000 --out lab
  ontocrawl simulate --archive web.warc.xz --ontology topic.owl --seeds seeds.txt --targets targets.txt \\
    --strategies fused,bfs --max-pages 2000 --seed 1,2,3 --out lab
  ontocrawl simulate --store ./ontocrawl-store --ontology topic.owl --max-pages 2000 --out lab

With --store the web is what that crawl fetched. Pages that it never asked for are not there, for any strategy.
The folder gets results.json, results.csv, report.html and one order-STRATEGY.tsv for each strategy. After Ctrl-C it
has those that were finished."""
)
def simulate(  # noqa: PLR0913 - typer reads the options from the signature
    *,
    max_pages: Annotated[int, typer.Option(metavar="N", help="Pages that each strategy may fetch.")],
    out: Annotated[
        Path,
        typer.Option(metavar="DIR", help="The folder for the results. Parsed pages are cached beside it."),
    ],
    archive: Annotated[
        Path | None,
        typer.Option(metavar="FILE|DIR", help="The recorded web: a WARC or WACZ file, or a folder of them."),
    ] = None,
    store: Annotated[
        str | None,
        typer.Option(metavar="DIR", help="Instead of --archive: the pages stored by a crawl."),
    ] = None,
    seeds: Annotated[
        list[str] | None,
        typer.Option(metavar="FILE|URL", help=SEEDS_HELP, show_default="those of the store's crawl"),
    ] = None,
    ontology: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The topic, as Protégé saves it. Only the strategy 'customised' needs none."),
    ] = None,
    targets: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="A file with the addresses of the pages to find.",
            show_default="what the judge calls so",
        ),
    ] = None,
    ignore: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="A file of addresses that count neither for nor against a strategy."),
    ] = None,
    examples: Annotated[Path | None, typer.Option(metavar="FILE", help=EXAMPLES_HELP)] = None,
    strategies: Annotated[
        str,
        typer.Option(
            metavar="all|A,B", help="Strategies to compare, with parameters as in fused,jlse:cf=50:gamma=0.8."
        ),
    ] = "all",
    settings: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="A settings file of crawl (TOML) with parameters of the strategy that it names."
        ),
    ] = None,
    seed: Annotated[
        str,
        typer.Option(
            metavar="N,N", help="One run for each number, which breaks ties between links; only 'fused' uses it."
        ),
    ] = "0",
    delay: Annotated[float, typer.Option(metavar="S", help="Virtual seconds between two requests to one host.")] = 1.0,
    connections: Annotated[int, typer.Option(metavar=COUNT, help="Requests open at once, to all hosts together.")] = 16,
    patience: Annotated[float, typer.Option(metavar="P", help=PATIENCE_HELP)] = PATIENCE,
    latency: Annotated[
        float,
        typer.Option(metavar="S", help="Virtual seconds that half of the answers take at most: log-normal times."),
    ] = 0.3,
    segmenter: Annotated[str, typer.Option(metavar="NAME", help=SEGMENTER_HELP)] = DEFAULT_SEGMENTER,
    until_covered: Annotated[
        int | None, typer.Option(metavar="N", help="End a run once every concept has N pages on topic.")
    ] = None,
    max_depth: Annotated[int | None, typer.Option(metavar="N", help=DEPTH_HELP, show_default="no limit")] = None,
    include: Annotated[list[str] | None, typer.Option(metavar="PATTERN", help=INCLUDE_HELP)] = None,
    exclude: Annotated[list[str] | None, typer.Option(metavar="PATTERN", help=EXCLUDE_HELP)] = None,
    stay_on_host: Annotated[bool, typer.Option("--stay-on-host", help=STAY_ON_HOST_HELP)] = False,
    stay_on_domain: Annotated[bool, typer.Option("--stay-on-domain", help=STAY_ON_DOMAIN_HELP)] = False,
) -> None:
    """Compare strategies on a recorded web. They crawl as usual, in virtual time: no network, and no waiting."""
    from cli.lab.simulate import Lab, run

    crawl = Settings(
        ontology=str(ontology) if ontology else None,
        seeds=tuple(seeds or ()),
        max_pages=max_pages,
        store="memory:",
        examples=str(examples) if examples else None,
        delay=delay,
        connections=connections,
        patience=patience,
        segmenter=segmenter,
        until_covered=until_covered,
        max_depth=max_depth,
        include=tuple(include or ()),
        exclude=tuple(exclude or ()),
        stay_on_host=stay_on_host,
        stay_on_domain=stay_on_domain,
    )
    lab = Lab(
        crawl=crawl,
        out=out,
        archive=archive,
        store=store,
        targets=targets,
        ignored=ignore,
        strategies=strategies,
        settings=settings,
        chances=seed,
        latency=latency,
    )
    raise typer.Exit(run(lab))
