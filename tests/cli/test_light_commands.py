"""Commands that end within a second import only what they need."""

import subprocess
import sys

import pytest

CRAWLING = "scipy uvloop asyncio crawler.engine.session crawler.engine.driver"
READING = f"{CRAWLING} numpy semantic.understanding"


# one after the other in one process: what one leaves alone, those before it leave alone, too
COMMANDS = {
    "cli.main": f"{READING} turbohtml graphdb.stores neo4j rich",
    "cli.stores.crawls": f"{READING} turbohtml graphdb.stores neo4j",
    "cli.stores.query": f"{READING} turbohtml neo4j",
    "cli.explaining.trap_status": f"{READING} turbohtml neo4j",
    "cli.stores.searching": f"{READING} neo4j",
    "cli.explaining.status": f"{CRAWLING} neo4j",
    "cli.marking.marking": f"{CRAWLING} neo4j",
    "cli.marking.review": f"{CRAWLING} neo4j",
}
IMPORT = """
import sys, importlib
for module in sys.argv[1:]:
    importlib.import_module(module)
    print(*sys.modules)
"""


@pytest.mark.slow
def test_a_light_command_leaves_the_machinery_alone():
    command = [sys.executable, "-c", IMPORT, *COMMANDS]
    loaded = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    for modules, (name, unneeded) in zip(loaded, COMMANDS.items(), strict=True):
        assert (name, set(modules.split()) & set(unneeded.split())) == (name, set())


LEARNED = """
import sys
import numpy as np
from semantic.strategies.fused.link_learner import Vertices
rows = np.zeros(2, np.int32)
Vertices().learn(rows, np.ones((2, 8), np.int32), np.zeros(2), rows)
print("scipy" in sys.modules)
"""
CHINESE = """
import sys
from semantic.segmentation.word_segmentation import cut
print(cut("绿茶"), "rjieba" in sys.modules)
"""
DRIVER = """
import sys
from graphdb.neo4j.bolt_driver import load_driver
load_driver()
print([name for name in ("numpy", "pandas", "pyarrow") if name in sys.modules])
"""


@pytest.mark.slow
@pytest.mark.parametrize(("code", "told"), [(LEARNED, "False"), (DRIVER, "[]"), (CHINESE, "['绿茶'] False")])
def test_reading_loads_only_what_it_needs(code: str, told: str):
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert printed.strip() == told
