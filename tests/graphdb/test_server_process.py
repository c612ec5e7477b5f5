"""The server's process while its engine starts."""

import json
import threading
from pathlib import Path

import pytest

from graphdb.embedded.engine import SERVER
from graphdb.embedded.server_process import ending_where_nobody_waits


class Waiting:
    """Somebody waits for the server, for ever."""

    def own(self):
        return False


def test_a_start_that_fails_leaves_no_thread():
    before = threading.enumerate()
    with pytest.raises(SystemExit), ending_where_nobody_waits(Waiting()):
        raise SystemExit(1)
    assert threading.enumerate() == before


def test_a_server_loads_no_library_for_arrays(engine):
    server = json.loads((engine.folder / SERVER).read_text())["pid"]
    loaded = Path(f"/proc/{server}/maps").read_text()
    assert "jpype" in loaded
    assert "numpy" not in loaded
