"""Processes beside the crawl, and their share of the processor."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

GROUP = Path("/proc/self/autogroup")
LOWERED = f"""
import os
from pathlib import Path
from ontology.child_process import stand_back
stand_back(5)
print(os.nice(0), Path({str(GROUP)!r}).read_text().split()[-1])
"""


@pytest.mark.skipif(not GROUP.exists(), reason="needs Linux with groups of processes by session")
def test_a_process_that_stands_back_takes_its_session_with_it():
    command = [sys.executable, "-c", LOWERED]
    done = subprocess.run(command, capture_output=True, text=True, check=True, start_new_session=True)
    assert done.stdout.split() == [str(os.nice(0) + 5), "5"]
