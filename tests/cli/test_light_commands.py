"""Commands that end within a second import only what they need."""

import subprocess
import sys

import pytest

CRAWLING = "scipy uvloop asyncio crawler.engine.session crawler.engine.driver"
READING = f"{CRAWLING} numpy semantic.understanding"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("module", "unneeded"),
    [
        ("cli.main", f"{READING} turbohtml graphdb.stores neo4j rich"),
        ("cli.stores.crawls", f"{READING} turbohtml graphdb.stores neo4j"),
        ("cli.stores.query", f"{READING} turbohtml neo4j"),
        ("cli.stores.searching", f"{READING} neo4j"),
        ("cli.explaining.trap_status", f"{READING} turbohtml neo4j"),
        ("cli.explaining.status", f"{CRAWLING} neo4j"),
        ("cli.marking.marking", f"{CRAWLING} neo4j"),
        ("cli.marking.review", f"{CRAWLING} neo4j"),
    ],
)
def test_a_light_command_leaves_the_machinery_alone(module, unneeded):
    code = f"import sys, {module}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert set(done.stdout.split()) & set(unneeded.split()) == set()
