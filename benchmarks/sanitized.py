"""The parts in C under AddressSanitizer and UBSan: `make test-sanitized`; with more pages

    python -m benchmarks.sanitized --pages 20000 --seed 2

`semantic/in_c/` is compiled with gcc's sanitizers. A process with it runs `tests/semantic/test_compiled.py`, then reads
pages of the demonstration web that `benchmarks.mutations` has broken. Where memory is used wrongly, the process
ends with a report of the place, and the exit code is 1.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from benchmarks.mutations import mutated
from examples.pages import answer
from examples.sites import ONTOLOGY, read_sites
from hatch_build import NOT_COMPILED, compile_c
from ontology.lexicon.lexicon import build_lexicon
from ontology.loading.imports_closure import load
from ontology.topic import build_topic
from semantic import compiled
from semantic.parsing.page_reader import bounded, read_page
from semantic.reasons import PageError
from semantic.strategies.strategy_table import build_understanding

ROOT = Path(__file__).resolve().parents[1]
TESTS = ROOT / "tests" / "semantic" / "test_compiled.py"
FLAGS = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-g", "-O1")
LIBRARIES = ("libasan.so", "libubsan.so")  # loaded first, since Python itself is compiled without them
# Python's own allocator would hide where an object ends; what Python does not free when it ends is no leak
SETTINGS = {"PYTHONMALLOC": "malloc", "ASAN_OPTIONS": "detect_leaks=0", "UBSAN_OPTIONS": "print_stacktrace=1"}
# a compiled module is looked for in the folder first
CHILD = "import semantic; semantic.__path__.insert(0, {folder!r}); from benchmarks.sanitized import read; read{given}"


def run(pages: int, seed: int) -> int:
    """Compile, then test and read in a child process; the exit code."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            made = compile_c(Path(folder), FLAGS)
        except NOT_COMPILED as error:
            print(f"semantic/in_c was not compiled with sanitizers: {error}", file=sys.stderr)
            return int(os.environ.get("CI") == "true")
        said = [subprocess.check_output(["gcc", f"-print-file-name={name}"], text=True) for name in LIBRARIES]
        env = {**os.environ, **SETTINGS, "LD_PRELOAD": " ".join(map(str.strip, said))}
        code = CHILD.format(folder=str(made.parent), given=(str(made.parent), pages, seed))
        return int(subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=env, check=False).returncode != 0)


def read(folder: str, pages: int, seed: int) -> None:
    """Test and read in this process, which must run the form of this folder."""
    assert compiled.loops and compiled.loops.__file__.startswith(folder), compiled.form()
    if pytest.main(["-q", "-s", "-m", "not slow", "-p", "no:cacheprovider", str(TESTS)]):
        sys.exit(1)
    sites = read_sites()
    bases = [answer(sites, f"http://{site.host}{path}").body for site in sites.values() for path in site.articles]
    made = load(ONTOLOGY, False, 1024)
    topic = build_topic(made)
    analyst = build_understanding("fused", topic, build_lexicon(made, topic, None)).analyst
    refused = 0
    for number in range(pages):
        body = mutated("page", bases, f"{seed}/page/{number}")
        try:
            analyst.frame(bounded(read_page(body, f"http://broken.example/{number}/页?a={number}", {})))
        except PageError:
            refused += 1
    print(f"{pages} broken pages under the sanitizers, {refused} refused, nothing found")


def main() -> int:
    parser = argparse.ArgumentParser(description="The parts in C under the sanitizers.")
    parser.add_argument("--pages", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    return run(given.pages, given.seed)


if __name__ == "__main__":
    sys.exit(main())
