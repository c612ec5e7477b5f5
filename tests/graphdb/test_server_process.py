"""The server's process while its engine starts."""

import threading

import pytest

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
