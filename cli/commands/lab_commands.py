"""The command `ontocrawl simulate`."""

from pathlib import Path
from typing import Annotated

import typer

from cli.settings import (
    ARCHIVE_HELP,
    COUNT,
    DEFAULT_SEGMENTER,
    DEPTH_HELP,
    EXAMPLES_HELP,
    EXCLUDE_HELP,
    INCLUDE_HELP,
    ONTOLOGY_HELP,
    PATIENCE,
    PATIENCE_HELP,
    SEEDS_HELP,
    SEGMENTER_HELP,
    STAY_ON_DOMAIN_HELP,
    STAY_ON_HOST_HELP,
    UNTIL_HELP,
    Settings,
)

lab_app = typer.Typer()


@lab_app.command(
    epilog="""\b
Examples:
  ontocrawl simulate --archive web.warc.xz --ontology topic.owl --seeds seeds.txt \\
    --targets targets.txt --strategies fused,bfs --max-pages 2000 --out lab
  ontocrawl simulate --store ./ontocrawl-store --ontology topic.owl --max-pages 2000 --out lab

With --store the web has only the pages that the crawl fetched. The folder gets report.html, results.json, results.csv
and one order-STRATEGY.tsv for each strategy; after Ctrl-C those that were finished."""
)
def simulate(  # noqa: PLR0913 - typer reads the options from the signature
    *,
    max_pages: Annotated[int, typer.Option(metavar="N", help="Pages for each strategy.")],
    out: Annotated[
        Path,
        typer.Option(metavar="DIR", help="The folder for the results. Parsed pages are cached beside it."),
    ],
    archive: Annotated[
        Path | None,
        typer.Option(metavar="FILE|DIR", help=ARCHIVE_HELP),
    ] = None,
    store: Annotated[
        str | None,
        typer.Option(metavar="DIR", help="Instead of --archive: the pages of a crawl."),
    ] = None,
    seeds: Annotated[
        list[str] | None,
        typer.Option(metavar="FILE|URL", help=SEEDS_HELP, show_default="those of the store's crawl"),
    ] = None,
    ontology: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help=ONTOLOGY_HELP),
    ] = None,
    targets: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="A file of addresses of the pages to find.",
            show_default="the results of the judge",
        ),
    ] = None,
    ignore: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="A file of addresses that count neither for nor against a strategy."),
    ] = None,
    examples: Annotated[Path | None, typer.Option(metavar="FILE", help=EXAMPLES_HELP)] = None,
    strategies: Annotated[
        str,
        typer.Option(metavar="all|A,B", help="Strategies, with parameters as in fused,jlse:cf=50:gamma=0.8."),
    ] = "all",
    settings: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="A settings file of crawl, with parameters of the strategy that it names."),
    ] = None,
    seed: Annotated[
        str,
        typer.Option(metavar="N,N", help="One run of 'fused' for each number, which breaks ties between links."),
    ] = "0",
    delay: Annotated[float, typer.Option(metavar="S", help="Virtual seconds between two requests to one host.")] = 1.0,
    connections: Annotated[int, typer.Option(metavar=COUNT, help="Requests open at once.")] = 16,
    patience: Annotated[float, typer.Option(metavar="P", help=PATIENCE_HELP)] = PATIENCE,
    latency: Annotated[
        float,
        typer.Option(metavar="S", help="Median of the virtual seconds that an answer takes (log-normal)."),
    ] = 0.3,
    segmenter: Annotated[str, typer.Option(metavar="NAME", help=SEGMENTER_HELP)] = DEFAULT_SEGMENTER,
    until_covered: Annotated[int | None, typer.Option(metavar="N", help=UNTIL_HELP)] = None,
    max_depth: Annotated[int | None, typer.Option(metavar="N", help=DEPTH_HELP, show_default="no limit")] = None,
    include: Annotated[list[str] | None, typer.Option(metavar="PATTERN", help=INCLUDE_HELP)] = None,
    exclude: Annotated[list[str] | None, typer.Option(metavar="PATTERN", help=EXCLUDE_HELP)] = None,
    stay_on_host: Annotated[bool, typer.Option("--stay-on-host", help=STAY_ON_HOST_HELP)] = False,
    stay_on_domain: Annotated[bool, typer.Option("--stay-on-domain", help=STAY_ON_DOMAIN_HELP)] = False,
) -> None:
    """Compare strategies on a recorded web, in virtual time."""
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
