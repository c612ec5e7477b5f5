"""Addresses of pages: one spelling each, so that a page is fetched once. The only file that imports ada_url.

Joining and parsing follow the WHATWG URL standard (dot segments, international hosts, backslashes, tabs, default ports;
a bad host or port makes an address invalid). On top of it, parts are removed that never change the answer: fragment,
user name, the host's trailing dot, `%7E` for `~`, session, tracking and sharing parameters. Doubled slashes and the
order of parameters can change the answer, and stay.
"""

import re
from collections.abc import Callable
from functools import cache, lru_cache
from urllib.parse import quote, unquote, unquote_to_bytes, urlsplit

from ada_url import join_url, normalize_url
from publicsuffixlist import PublicSuffixList

# characters; longer addresses are mostly traps. RFC 9110, 4.1, recommends that 8,000 be supported; chosen, not measured
MAX_LENGTH = 2000
_SITE_ALONE = ("/", "http://", "https://")  # links that start so do not depend on the page's folder
_REMEMBERED = 200  # characters; the address of a longer link is not cached; chosen, not measured

_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_ESCAPE = re.compile("%([0-9A-Fa-f]{2})")
_SPELLING = {f"{byte:02X}": chr(byte) if chr(byte) in _UNRESERVED else f"%{byte:02X}" for byte in range(256)}
# runs of %-coded bytes above ASCII: `%2F` must stay different from `/`
_CODED = re.compile("(?:%[89A-Fa-f][0-9A-Fa-f])+")
_SESSION = re.compile(r";(?:jsessionid|phpsessid)=[^/?;]*", re.IGNORECASE)
_TRACKING = re.compile(
    r"[?&](?:utm_\w+|fbclid|gclid|gclsrc|dclid|gbraid|wbraid|msclkid|yclid|twclid|ttclid|igshid|mc_[ce]id|_ga|_gl"
    r"|_hsenc|_hsmi|mkt_tok|spm|jsessionid|phpsessid)=[^&]*"
    # buttons of WordPress that hand a page on; the page is the one without
    r"|[?&]share=(?:email|facebook|twitter|x|linkedin|pinterest|reddit|tumblr|telegram|pocket|(?:jetpack-)?whatsapp|skype"
    r"|mastodon|bluesky|threads|nextdoor|press-this|google-plus-1)(?:&nb=1)?(?![^&])",
    re.IGNORECASE,
)
_TRAILING_DOTS = re.compile(r"\.+(?=:|$)")
_NOT_PAGES = {
    "images": "jpg jpeg jpe png gif bmp webp avif ico svg svgz tif tiff psd eps ai heic raw",
    "sound and film": "mp3 mp4 m4a m4v ogg oga ogv opus wav flac aac wma wmv avi mov mpg mpeg mkv webm flv swf mid 3gp",
    "archives and programs": "zip gz tgz bz2 tbz xz txz zst 7z rar tar jar apk exe msi deb rpm dmg iso img bin dll whl",
    "what pages are made of": "css js mjs map json xml rss atom woff woff2 ttf otf eot wasm",
    "documents": "ps djvu mobi doc rtf ods xls xlsx xlsm csv tsv ppt pps ppsx key",
}
_NOT_PAGE_ENDINGS = frozenset(" ".join(_NOT_PAGES.values()).split())
_PAGE_ENDINGS = re.compile(
    r"(?:/(?:index|default))?\.(?:html?|xhtml|shtml|php\d?|aspx?|jspx?|cgi|cfm|do)$", re.IGNORECASE
)
# A link that the WHATWG standard does not change: no character that it encodes, no %-coded dot, no host that it spells
# otherwise. Most links are such, and a call of the library costs several times as much.
_KEPT = "(?:[A-Za-z0-9_~!$&()*+,:=@./-]|%(?!2[Ee])[0-9A-Fa-f]{2})*+"
_PLAIN = re.compile(
    rf"(?!//)(?P<site>https?://(?:(?!xn--)[a-z0-9][a-z0-9-]*\.)+(?!xn--)[a-z]{{2,}}(?=/|$))?{_KEPT}(?:\?{_KEPT})?"
)
_HOST_AT = len("https://")  # where a host begins at the latest
_SEPARATORS = re.compile(r"[\x00-/:-@\[-`{-\x7f\s]+")  # every ASCII character that is neither letter nor digit


def normalise(url: str, base: str | None = None) -> str | None:
    """Give the one spelling of a web address, absolute; a relative one is resolved against `base`.

    None for what is no http(s) address or longer than MAX_LENGTH characters. Idempotent.
    """
    try:
        joined = normalize_url(url) if base is None else join_url(base, url)
    except ValueError:
        return None
    return _spell(joined)


class Addresses:
    """`normalise` for the links of one page, resolved against `base`.

    `encode` %-codes the query of an address that is not ASCII; what it leaves is sent in UTF-8, like a path. Results
    are cached across pages: on most pages of a site more than half of the links are its menus.
    """

    def __init__(self, base: str, encode: Callable[[str], str] | None = None) -> None:
        self._base = base
        self._encode = encode
        self._folder = base.partition("?")[0].rpartition("/")[0] + "/"
        self._site = "/".join(base.split("/", 3)[:3]) + "/"

    def of(self, href: str) -> str | None:
        """The address that a link names, None if it is invalid."""
        before, mark, _ = href.partition("#")
        if mark and before[-1:] > " ":  # otherwise the fragment keeps a blank before it, which would be removed
            href = before
        if self._encode and not href.isascii() and len(href) <= MAX_LENGTH:
            href = self._encode(href)
        if len(href) > _REMEMBERED or href[:1] <= " " or href[0] in "?#":
            return normalise(href, self._base)
        return _resolved(href, self._site if href.startswith(_SITE_ALONE) else self._folder)


# at most 200 characters each, so a few megabytes; chosen, not measured
@lru_cache(maxsize=20_000)
def _resolved(href: str, base: str) -> str | None:
    below, folder = href, base
    while below.startswith("../"):
        below, folder = below[3:], folder[: folder.rfind("/", _HOST_AT, -1) + 1] or folder
    plain = _PLAIN.fullmatch(below)
    if plain is None or below[:1] == "." or "/." in below:
        return normalise(href, base)
    site = plain["site"]
    if below != href:
        url = folder + below
    elif site:
        url = href if len(href) > len(site) else href + "/"
    elif href[0] == "/":
        url = base[:-1] + href  # the base of such a link is its site, `Addresses.of`
    elif ":" in href.partition("/")[0]:
        return normalise(href, base)
    else:
        url = base + href
    return _spell(url)


def _spell(url: str) -> str | None:
    """Apply this module's own rules to an address as WHATWG serialises it."""
    url = url.partition("#")[0]
    if len(url) > MAX_LENGTH or not url.startswith(("http://", "https://")):
        return None
    if "%" in url:
        url = _ESCAPE.sub(lambda escape: _SPELLING[escape[1].upper()], url)
    if "?" in url:
        url = _without_tracking(url)
    if ";" in url and _SESSION.search(url):
        return normalise(_SESSION.sub("", url))  # removing it may leave a dot segment
    scheme, _, host, *path = url.split("/", 3)
    if host[-1] == "." or "@" in host or ".:" in host:
        return _with_plain_host(scheme, host, path[0])
    return url


def _without_tracking(url: str) -> str:
    path, _, query = url.partition("?")
    query = _TRACKING.sub("", "?" + query)[1:]
    return f"{path}?{query}" if query else path


def _with_plain_host(scheme: str, host: str, path: str) -> str | None:
    host = _TRAILING_DOTS.sub("", host.rpartition("@")[2])
    return normalise(f"{scheme}//{host}/{path}")


def host_of(url: str) -> str:
    """Host of a normalised address, with its port if that is not the scheme's default."""
    return url.split("/", 3)[2]


@lru_cache(maxsize=10_000)  # a strategy and the crawl ask about the same links, and menus repeat from page to page
def is_page_like(url: str) -> bool:
    """Tell whether an address may be a page: images, media, archives, styles, scripts and office files are not.

    Decided by the ending of the path. A name with a colon is a page about a file (`File:Map.png` in a wiki).
    """
    name = url.partition("?")[0].rpartition("/")[2]
    ending = name.rpartition(".")[2] if "." in name else ""
    return ending.lower() not in _NOT_PAGE_ENDINGS or ":" in name or url.count("/") == 2


def identity(url: str) -> str:
    """Key of a page in an archive: host, path and query, independent of scheme, default port and %-coding.

    Bytes that are not UTF-8, such as a path in GBK, are escaped, so that different paths have different keys. A
    trailing `index.html` is removed. Two records of one archive may have the same key; then the one with status 200 is
    the page.
    """
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return url
    host = (parts.hostname or "").lower()
    if port and port not in (80, 443):
        host += f":{port}"
    rest = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return unquote(host + rest, errors="backslashreplace").removesuffix("index.html")


def words_of(url: str) -> str:
    """Readable words of an address's path and query, separated by blanks; endings such as `index.html` are left out.

    Split at all punctuation, not inside words (`mp3`, `JavaScript`). %-coding is read as UTF-8, else as GB18030.
    """
    path, _, query = url.partition("://")[2].partition("/")[2].partition("?")
    coded = f"{_PAGE_ENDINGS.sub('', '/' + path)} {query}"
    if "%" in coded:
        coded = _decoded(coded)
    return _SEPARATORS.sub(" ", coded).strip()


def _decoded(coded: str) -> str:
    raw = unquote_to_bytes(coded)
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("gb18030", "replace")


def readable(text: str) -> str:
    """Decode %-coded UTF-8 in addresses for display. Typed into a browser, the result is the same address."""
    return _CODED.sub(_plain, text) if "%" in text else text


def _plain(coded: re.Match[str]) -> str:
    """Decode the match if it is UTF-8; invisible characters stay coded."""
    try:
        return typeable(unquote_to_bytes(coded[0]).decode("utf-8"))
    except UnicodeDecodeError:
        return coded[0]


def typeable(text: str, also: str = "") -> str:
    """Escape invisible characters, lone surrogates and the characters of `also` in `text`."""
    return "".join(
        sign if sign.isprintable() and sign not in also else quote(sign, errors="surrogatepass") for sign in text
    )


@lru_cache(10_000)
@lru_cache(maxsize=10_000)  # links lead to few hosts
def domain_of(host: str) -> str:
    """`shop.example.co.uk:8080` -> `example.co.uk:8080`; a host that is none, an IP address say, as it is."""
    name, colon, port = host.partition(":")
    if host.startswith("[") or name.rpartition(".")[2].isdigit():
        return host
    return (_suffixes().privatesuffix(name) or name) + colon + port


def is_public_name(host: str) -> bool:
    """Whether a host's name ends as names on the internet do: `linux.cn`, not `seeds.txt` or `localhost`."""
    return _suffixes().privatesuffix(host.partition(":")[0], accept_unknown=False) is not None


@cache
def _suffixes() -> PublicSuffixList:
    return PublicSuffixList()


ROBOTS_PATH = "/robots.txt"  # RFC 9309, 2.3


def robots_url(url: str) -> str:
    """The address of the robots.txt that applies to a normalised address."""
    scheme, _, host, *_ = url.split("/", 3)
    return f"{scheme}//{host}{ROBOTS_PATH}"


def origins_of(host: str) -> tuple[str, str]:
    """The http and https origins of a host (with its port), each named by the address of its robots.txt."""
    return f"http://{host}{ROBOTS_PATH}", f"https://{host}{ROBOTS_PATH}"


def is_robots_url(url: str) -> bool:
    """Whether a normalised address is that of a robots.txt, which is not a page of the crawl."""
    return url.count("/") == 3 and url.partition("?")[0].endswith(ROBOTS_PATH)


def without_password(url: str) -> str:
    """A proxy's URL without user name and password, so that it may be shown and stored."""
    scheme, mark, rest = url.rpartition("://")
    return scheme + mark + rest.rpartition("@")[2]
