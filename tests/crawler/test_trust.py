"""Whom the network source trusts, and what it tells whom: certificates, cookies, credentials."""

import asyncio
import base64
import gzip
import socket
import ssl
from pathlib import Path

import pytest
from hostile_web import GOOD, MISSING, Web, answers, crawl_through, fake_names, html
from raw_servers import sending, served

from crawler.fetch.client import HttpSource
from crawler.ports import Failed, Fetched, Outcome, Refused
from ontology.errors import SettingsError

ISOLATED = True  # pages are read as in a real crawl

CERTIFICATE = Path(__file__).with_name("self_signed.pem")  # for self-signed.example and other.example, and its key
NAMES = {f"{name}.example": [("127.0.0.1",)] for name in ("self-signed", "other", "third")}
ALLOW = frozenset(NAMES)


def self_signed() -> ssl.SSLContext:
    tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    tls.load_cert_chain(CERTIFICATE)
    return tls


def over_tls(*hosts: str, insecure: frozenset[str], old: str = "", version: str = "HTTP/1.1") -> list[Outcome]:
    """Fetch from each host in turn with one source; a server with a self-signed certificate answers for all.

    `old`: ciphers of TLS 1.0, which is the only version that it speaks then. `version`: of HTTP, as it says.
    """

    tls = self_signed()
    if old:
        tls.set_ciphers(old)
        tls.minimum_version = tls.maximum_version = ssl.TLSVersion.TLSv1

    async def ask(source: HttpSource, address: str) -> list[Outcome]:
        port = address.rpartition(":")[2]
        return [await source.fetch(f"https://{host}:{port}/") for host in hosts]

    answer = sending(f"{version} 200 OK\r\nContent-Type: text/html\r\n\r\nok".encode())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket, "getaddrinfo", fake_names(NAMES))
        return served(answer, ask, tls=tls, allow=ALLOW, insecure=insecure)


def test_a_certificate_that_nobody_signed_is_refused() -> None:
    [outcome] = over_tls("self-signed.example", insecure=frozenset())
    assert outcome.kind == "tls"


def test_whom_to_trust_may_be_named_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))
    [outcome] = over_tls("self-signed.example", insecure=frozenset())
    assert isinstance(outcome, Fetched)


def test_a_good_certificate_of_another_host_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))
    for insecure, kind in ((frozenset[str](), Failed), (frozenset({"third.example"}), Fetched)):
        [outcome] = over_tls("third.example", insecure=insecure)
        assert isinstance(outcome, kind)
        assert not isinstance(outcome, Failed) or outcome.kind == "tls"


def test_only_the_host_that_is_named_goes_unverified() -> None:
    """Holds in any order: nothing learned from one host is used for another."""
    named = frozenset({"self-signed.example"})
    for hosts in (("self-signed.example", "other.example"), ("other.example", "self-signed.example")):
        kinds = dict(zip(hosts, over_tls(*hosts, insecure=named), strict=True))
        assert kinds["self-signed.example"].status == 200
        assert kinds["other.example"].kind == "tls"


def test_an_odd_answer_needs_a_good_certificate_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is asked for once more in another way, which trusts the same."""
    hosts = ("self-signed.example", "third.example")
    assert [type(outcome) for outcome in over_tls(*hosts, insecure=frozenset(), version="http/1.1")] == [Failed] * 2
    monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))
    good, bad = over_tls(*hosts, insecure=frozenset(), version="http/1.1")
    assert (good.status, good.body) == (200, b"ok")
    assert bad.kind == "tls"
    insecure = over_tls(*hosts, insecure=frozenset(hosts), version="http/1.1")
    assert [type(outcome) for outcome in insecure] == [Fetched] * 2


@pytest.mark.filterwarnings("ignore:ssl.TLSVersion.TLSv1 is deprecated")
@pytest.mark.parametrize("ciphers", ["ALL:@SECLEVEL=0", "ECDHE-ECDSA-AES128-SHA:@SECLEVEL=0"])
def test_old_tls_is_spoken_only_with_hosts_that_are_named(ciphers: str) -> None:
    hosts = ("self-signed.example", "other.example", "self-signed.example")
    first, other, again = over_tls(*hosts, insecure=frozenset(hosts[:1]), old=ciphers)
    assert first.status == again.status == 200
    assert "--insecure-host other.example" in str(other.detail)


def test_an_insecure_host_is_still_refused_where_it_is_inside() -> None:
    (outcome,) = answers(Web({}), "https://127.0.0.1/", insecure=frozenset({"127.0.0.1"}))
    assert isinstance(outcome, Refused)


def test_nothing_that_one_host_said_or_knows_crosses_to_another() -> None:
    """Cookies, credentials in links and redirects, the address of the page before: none is ever sent."""
    cookie = ("Set-Cookie: track=me", "Set-Cookie: all=1; Domain=127.0.0.1", 'WWW-Authenticate: Basic realm="x"')
    web = Web({"127.3.0.2/": GOOD, "127.3.0.2/two": GOOD, "127.3.0.2/three": GOOD, "127.3.0.1/again": GOOD})
    with socket.create_server(("0.0.0.0", 0)) as free:
        web.port = free.getsockname()[1]
    there = f"ann:secret@127.3.0.2:{web.port}"
    web.sites["127.3.0.1/"] = html(
        f'<a href="http://{there}/">x</a><a href="/moved">x</a><a href="/again">x</a><a href="http://ann@{there[11:]}/two">',
        *cookie,
    )
    web.sites["127.3.0.1/moved"] = (
        f"HTTP/1.1 302 Found\r\nSet-Cookie: a=b\r\nLocation: http://{there}/three\r\nContent-Length: 0\r\n\r\n".encode()
    )
    store = crawl_through(web, frozenset({"127.3.0.1", "127.3.0.2"}), "127.3.0.1/")
    assert sorted(path for host, path, _ in web.asked if host == "127.3.0.2") == ["", "robots.txt", "three", "two"]
    for _, _, request in web.asked:
        names = {line.partition(":")[0].lower() for line in request.splitlines()[1:] if line}
        assert names == {"host", "user-agent", "accept", "accept-encoding"}
        assert "secret" not in request
    assert not any("secret" in url or "@" in url for url in store.pages), "nor is it kept"


def test_the_source_itself_refuses_an_address_with_a_password() -> None:
    (outcome,) = answers(Web({}), "http://ann:secret@127.0.0.1:1/", allow=frozenset({"127.0.0.1"}))
    assert "secret" not in str(outcome.reason)


def test_a_proxy_s_password_goes_to_the_proxy_alone(tmp_path: Path) -> None:
    """It is neither told, also where the proxy refuses a tunnel or is none, nor recorded."""
    web = Web({"127.0.0.1/http://a.example/": GOOD, "127.0.0.1/b.example:443": MISSING})
    urls = ("http://a.example/", "https://b.example/")
    page, refused = answers(web, *urls, warc=tmp_path, proxy="http://ann:secret@127.0.0.1:PORT")
    assert (page.status, refused.kind, refused.detail) == (200, "proxy", "404 Not Found")
    (_, _, request), _ = web.asked
    assert f"Proxy-Authorization: Basic {base64.b64encode(b'ann:secret').decode()}" in request
    assert "\r\nAuthorization" not in request
    assert "Proxy-Connection" not in request
    (file,) = tmp_path.iterdir()
    kept = gzip.decompress(file.read_bytes())
    assert b"GET / HTTP/1.1\r\nhost: a.example" in kept
    assert b"proxy-authorization" not in kept.lower()
    with pytest.raises(SettingsError) as told:
        HttpSource("ftp://ann:secret@127.0.0.1")
    assert "secret" not in str(told.value)


def test_what_follows_an_answer_is_no_answer() -> None:
    """A server that sends a second answer unasked cannot have it taken for that of the next request."""
    web = Web({"127.0.0.1/": GOOD + html("<p>evil"), "127.0.0.1/two": GOOD})
    urls = [f"http://127.0.0.1:PORT/{path}" for path in ("", "two", "", "two")]
    for outcome in answers(web, *urls, allow=frozenset({"127.0.0.1"})):
        assert (outcome.status, outcome.body) == (200, b"<p>still there")


@pytest.mark.parametrize(("length", "kind"), [("", ""), ("Content-Length: 100\r\n", "read")])
def test_tls_that_ends_without_a_word(length: str, kind: str) -> None:
    """The end of the connection is that of a page without a length, and too early for one that is longer."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n{length}\r\n<p>ok".encode())
        writer.transport.abort()

    async def ask(source: HttpSource, address: str) -> Outcome:
        return await source.fetch(f"https://self-signed.example:{address.rpartition(':')[2]}/")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket, "getaddrinfo", fake_names(NAMES))
        outcome = served(answer, ask, tls=self_signed(), allow=ALLOW, insecure=ALLOW)
    assert isinstance(outcome, Failed if kind else Fetched)
    assert outcome.kind == kind if isinstance(outcome, Failed) else outcome.body == b"<p>ok"
