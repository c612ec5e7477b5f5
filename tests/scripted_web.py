"""A made web on two hosts of this machine whose pages get their text from scripts, or do what pages must not do."""

import json
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

ROWS, STEP = 20, 5
ITEMS = {
    kind: [f"{kind} number {number} from garden {first + number}" for number in range(ROWS)]
    for kind, first in (("oolong", 100), ("sencha", 200), ("matcha", 300))
}
APP = "<title>Tea</title><div id=app></div><script src=/app.js></script>"
APP_JS = """
const show = (rows) => rows.forEach((row) => app.insertAdjacentHTML(
  "beforeend", `<p style="height:400px"><a href="/item/${row.number}">${row.name}</a></p>`));
"""
FIXED = {"/robots.txt": ("User-agent: *\nDisallow: /private/", "text/plain"), "/app.js": (APP_JS, "text/javascript")}
SHADOW = """<body><script>
for (const mode of ["open", "closed"]) {
  const host = document.createElement("tea-card");
  host.attachShadow({mode}).innerHTML = `<p>A ${mode} card</p><slot></slot> <a href="/item/${mode}">order</a>`;
  host.append(`slotted into ${mode}`);
  document.body.append(host);
}
</script>"""
# what a page shows after its scripts: words, and paths of links
TRUTH: dict[str, tuple[str, set[str]]] = {
    "/list": (" ".join(ITEMS["oolong"]), {f"/item/{number}" for number in range(ROWS)}),
    "/hash": ("Home of all teas About", set()),
    "/more": (" ".join(ITEMS["sencha"]), {f"/item/{number}" for number in range(ROWS)}),
    "/scroll": (" ".join(ITEMS["matcha"]), {f"/item/{number}" for number in range(ROWS)}),
    "/shadow": (
        "A open card slotted into open order A closed card slotted into closed",
        {"/item/open", "/item/closed"},
    ),
    "/plain": ("A plain page about green tea, without any script.", {"/item/0"}),
}
# each way to reach out, as a script that is given the address of a listener and a host's name
WAYS = """
fetch(to); fetch(to, {method: "POST", body: "x", mode: "no-cors"}); navigator.sendBeacon(to, "x");
for (const method of ["GET", "POST"]) { const x = new XMLHttpRequest(); x.open(method, to); x.send("x"); }
new WebSocket(to.replace("http", "ws")); new WebSocket("ws://localhost:" + port);
new EventSource(to); new Worker(URL.createObjectURL(new Blob([`fetch("${to}"); importScripts("${to}")`])));
new SharedWorker(URL.createObjectURL(new Blob([`fetch("${to}")`])));
navigator.serviceWorker && navigator.serviceWorker.register("/worker.js").catch(() => 0);
for (const rel of ["preconnect", "dns-prefetch", "prefetch", "preload", "stylesheet", "icon", "modulepreload"]) {
  const link = document.createElement("link"); link.rel = rel; link.href = to; link.as = "fetch";
  document.head.append(link);
}
for (const tag of ["img", "iframe", "video", "embed"]) {
  const one = document.createElement(tag); one.src = to; document.body.append(one);
}
{ const rules = document.createElement("script"); rules.type = "speculationrules";
  rules.text = JSON.stringify({prerender: [{urls: [to]}], prefetch: [{urls: [to]}]}); document.head.append(rules); }
{ const peer = new RTCPeerConnection({iceServers: [{urls: "stun:127.0.0.1:" + port}]});
  peer.createDataChannel("x"); peer.createOffer().then((offer) => peer.setLocalDescription(offer)); }
{ const form = document.createElement("form"); form.action = to; form.method = "post"; document.body.append(form);
  form.submit(); }
import(to).catch(() => 0); window.open(to); setTimeout(() => location.assign(to), 50);
fetch("/away").catch(() => 0); fetch("http://metadata.internal/").catch(() => 0);
document.body.append("all was tried");
"""


def pages(api: str, listener: str) -> dict[str, str]:
    """The pages by path. `api`: the other host; `listener`: an address that nobody may connect to."""
    fill = f"fetch('{api}/rows.json?of=oolong&from=0&to={ROWS}').then((r) => r.json()).then(show)"
    part = "(await (await fetch(`/rows.json?of=KIND&from=${at}&to=${at += " + str(STEP) + "}`)).json())"
    more, scrolled = part.replace("KIND", "sencha"), part.replace("KIND", "matcha")
    names = [*TRUTH, "/cookie-1", "/cookie-2", "/forbidden", "/moves", "/reach"]
    start = "".join(f"<p>On this page there is something about green tea: <a href={name}>{name}</a>" for name in names)
    return {
        "/": f"<title>Start</title>{start}",
        "/list": f"{APP}<script>{fill}</script>",
        "/hash": f"{APP}<script>"
        "app.innerHTML = location.hash ? 'About' : 'Home of all teas <a href=#/a>About</a>'</script>",
        "/more": f"{APP}<button>加载更多</button><form><button>Load more</button></form><script>let at = 0;"
        f"const more = async () => {{ show({more}); if (at >= {ROWS}) document.querySelector('button').remove(); }};"
        "document.querySelector('button').onclick = more; more();"
        "document.forms[0].onsubmit = () => fetch('/order', {method: 'POST'})</script>",
        "/scroll": f"{APP}<i id=end style='display:block;height:9px'></i><script>let at = 0;"
        f"new IntersectionObserver(async ([end]) => {{ if (end.isIntersecting && at < {ROWS}) show({scrolled}) }})"
        ".observe(document.getElementById('end'))</script>",
        "/shadow": SHADOW,
        "/plain": f"{TRUTH['/plain'][0]} <a href=/item/0>One</a>",
        "/cookie-1": "<body><script>document.cookie = 'a=1'; localStorage.a = 1;"
        "fetch('/rows.json?of=oolong&from=0&to=1', {credentials: 'include'}).then("
        "() => document.body.append('kept'))</script>",
        "/cookie-2": "<body><script>fetch('/rows.json?of=oolong&from=0&to=2', {credentials: 'include'}).then(() =>"
        "document.body.append(`found ${document.cookie || 'nothing'} and ${localStorage.a || 'nothing'}`))</script>",
        "/forbidden": "<body><script>fetch('/private/rows.json').catch(() => document.body.append('not given')).then("
        "() => fetch('/order', {method: 'POST'})).catch(() => document.body.append(' not taken'))</script>",
        "/moves": "<body><p>Here it stays<script>alert(1); window.open('/popup'); setTimeout(() =>"
        " location.assign('/moved'), 50)</script>",
        "/reach": f"<body><script>const to = '{listener}/x', port = '{listener.rpartition(':')[2]}';{WAYS}</script>",
        "/loop": "<body>raw<script>while (true);</script>",
        "/flood": "<body>raw<script>for (let i = 0; i < 2000; i++) fetch('/flood.json?' + i)</script>",
        "/memory": "<body>raw<script>const all = []; while (true) all.push(new Uint8Array(1e8).fill(1))</script>",
    }


@dataclass
class ScriptedWeb:
    """The web while it is served. `asked`: method and path of each request; `cookies`: those that were sent.
    `connections`: number of those to the address that nobody may connect to.
    """

    origin: str
    listener: str
    pages: dict[str, str]
    asked: Counter[tuple[str, str]] = field(default_factory=Counter)
    cookies: list[str] = field(default_factory=list)
    connections: int = 0


class Answers(BaseHTTPRequestHandler):
    """Answers for the web that its server has."""

    def do_GET(self) -> None:
        web: ScriptedWeb = self.server.web
        web.asked[self.command, self.path] += 1
        web.cookies += filter(None, [self.headers.get("Cookie")])
        path, query = urlsplit(self.path).path, parse_qs(urlsplit(self.path).query)
        if path == "/rows.json":
            numbers = range(int(query["from"][0]), int(query["to"][0]))
            self._give(
                json.dumps([{"number": number, "name": ITEMS[query["of"][0]][number]} for number in numbers]),
                "application/json",
            )
        elif path in FIXED:
            self._give(*FIXED[path])
        elif path == "/away":
            self._give("", "text/plain", 302)
        else:
            self._give(web.pages.get(path, ""), "text/html", 200 if path in web.pages else 404)

    do_POST = do_GET

    def _give(self, text: str, kind: str, status: int = 200) -> None:
        body = text.encode()
        self.send_response(status)
        for name, value in (("Content-Type", kind), ("Access-Control-Allow-Origin", "*"), ("Set-Cookie", "s=1")):
            self.send_header(name, value)
        if status == 302:
            self.send_header("Location", f"{self.server.web.listener}/redirected")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


class Listener(ThreadingHTTPServer):
    """Counts connections."""

    def get_request(self):
        self.web.connections += 1
        return super().get_request()


@contextmanager
def served_web() -> Iterator[ScriptedWeb]:
    """Serve the web: pages and data on 127.0.0.1, data on 127.0.0.2, and nothing at a listener on 127.0.0.3."""
    kinds = (ThreadingHTTPServer, ThreadingHTTPServer, Listener)
    servers = [kind((f"127.0.0.{number}", 0), Answers) for number, kind in enumerate(kinds, 1)]
    here, api, listener = (f"http://{server.server_address[0]}:{server.server_port}" for server in servers)
    web = ScriptedWeb(here, listener, pages(api, listener))
    for server in servers:
        server.web = web
        threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield web
    finally:
        for server in servers:
            server.shutdown()
            server.server_close()
