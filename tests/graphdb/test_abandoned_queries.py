"""Queries for whose answer nobody waits are ended by the server, others are not."""

import socket

import pytest

from graphdb.embedded.abandoned_queries import YOUNG_MS, RunningQueries, client_ports

LINES = """\
   0: 0100007F:2710 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 1 1 0 100 0 0 10 0
   1: 0100007F:2710 0100007F:C001 01 00000000:00000000 00:00000000 00000000     0        0 2 1 0 20 4 30 10 -1
   2: 0100007F:2710 0100007F:C002 08 00000000:00000000 00:00000000 00000000     0        0 3 1 0 20 4 30 10 -1
   3: 0100007F:2711 0100007F:C003 01 00000000:00000000 00:00000000 00000000     0        0 4 1 0 20 4 30 10 -1
   4: 0000000000000000FFFF00000100007F:2710 0000000000000000FFFF00000100007F:C004 01 00000000:00000000 00:00000000
""".splitlines()


class Query:
    """What the engine keeps of a query."""

    def __init__(self, client, milliseconds=2 * YOUNG_MS):
        self._client, self._milliseconds, self.why = client, milliseconds, ""

    def getElapsedMillis(self):
        return self._milliseconds

    def getClientAddress(self):
        return self._client

    def terminate(self, why):
        self.why = why


class Registry:
    def __init__(self, *queries):
        self._queries = queries

    def getRunning(self):
        return self._queries


def test_only_connected_clients_are_there():
    assert client_ports(LINES, 0x2710) == {0xC001, 0xC004}


@pytest.fixture
def connection():
    with socket.create_server(("127.0.0.1", 0)) as server:
        client = socket.create_connection(server.getsockname())
        with client, server.accept()[0]:
            yield server.getsockname()[1], client


def test_a_query_ends_when_its_client_hangs_up(connection):
    port, client = connection
    query = Query(f"127.0.0.1:{client.getsockname()[1]}")
    queries = RunningQueries(Registry(query), port)
    queries.end_abandoned()
    assert not query.why
    client.close()
    queries.end_abandoned()
    assert query.why


def test_a_young_query_is_left_alone(connection):
    port, client = connection
    query = Query(f"127.0.0.1:{client.getsockname()[1]}", milliseconds=1)
    client.close()
    RunningQueries(Registry(query), port).end_abandoned()
    assert not query.why
