"""Files of word processors, presentations and books as pages."""

import io
import zipfile
from collections.abc import Mapping

import pytest

from benchmarks.office_files import open_document, packed
from semantic.page import Page, Position
from semantic.parsing.page_reader import bounded, pack, read_page, unpack
from semantic.reasons import PageError

URL = "http://a.example/folder/tea.docx"
W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
R = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
A = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
P = 'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"'
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
TEXT = 'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:xlink="http://www.w3.org/1999/xlink"'
OPEN = f'{TEXT} xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"'
DRAW = 'xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" xmlns:presentation="urn:x:presentation:1.0"'
DC = 'xmlns:dc="http://purl.org/dc/elements/1.1/"'
ODT, EPUB = "application/vnd.oasis.opendocument.text", "application/epub+zip"


def unpacked(body: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(body)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def locked(body: bytes) -> bytes:
    """The archive, its parts marked as encrypted (bit 0 of their flags in the directory)."""
    first, *rest = body.split(b"PK\x01\x02")
    return b"PK\x01\x02".join([first, *(part[:4] + b"\x01" + part[5:] for part in rest)])


def relations(*rows: tuple[str, str, str, bool]) -> str:
    """Each: id, kind, target, whether that is outside."""
    said = (
        f'<Relationship Id="{key}" Type="{OFFICE}/{kind}" Target="{target}" '
        f'TargetMode="{("In", "Ex")[outside]}ternal"/>'
        for key, kind, target, outside in rows
    )
    return f"<Relationships>{''.join(said)}</Relationships>"


def docx(body: str, links: Mapping[str, str] = {}, main: str = "word/document.xml", **more: str) -> bytes:
    rows = [(key, "hyperlink", address, True) for key, address in links.items()]
    rows += [(name, name, f"{name}.xml", False) for name in more if name != "core"]
    core = {"docProps/core.xml": f"<c {DC}>{more.pop('core')}</c>"} if "core" in more else {}
    package = relations(
        ("1", "officeDocument", main, False), ("2", "metadata/core-properties", "docProps/core.xml", False)
    )
    parts = {f"word/{name}.xml": f"<w:x {W} {R}>{content}</w:x>" for name, content in more.items()}
    folder, _, name = main.rpartition("/")
    return packed(
        {
            "[Content_Types].xml": "<Types/>",
            "_rels/.rels": package,
            main.lstrip("/"): f'<?xml version="1.0"?><w:document {W} {R} {A}><w:body>{body}</w:body></w:document>',
            f"{folder.lstrip('/')}/_rels/{name}.rels": relations(*rows),
            **core,
            **parts,
        }
    )


def pptx(*slides: str, links: Mapping[str, str] = {}, notes: str = "") -> bytes:
    ids = "".join(f'<p:sldId id="{256 + rank}" r:id="s{rank}"/>' for rank in reversed(range(len(slides))))
    rows = [(f"s{rank}", "slide", f"slides/slide{rank}.xml", False) for rank in range(len(slides))]
    of_slide = relations(
        *((key, "hyperlink", address, True) for key, address in links.items()),
        ("n", "notesSlide", "../notesSlides/notesSlide1.xml", False),
    )
    parts = {f"ppt/slides/slide{rank}.xml": f"<p:sld {P} {A} {R}>{slide}</p:sld>" for rank, slide in enumerate(slides)}
    return packed(
        {
            "[Content_Types].xml": "<Types/>",
            "_rels/.rels": relations(("1", "officeDocument", "ppt/presentation.xml", False)),
            "ppt/presentation.xml": f"<p:presentation {P} {R}><p:sldIdLst>{ids}</p:sldIdLst></p:presentation>",
            "ppt/_rels/presentation.xml.rels": relations(*rows),
            "ppt/slides/_rels/slide0.xml.rels": of_slide,
            "ppt/notesSlides/notesSlide1.xml": f"<p:notes {P} {A}>{notes}</p:notes>",
            **parts,
        }
    )


def shape(text: str, kind: str = "", link: str = "") -> str:
    mark = f'<p:nvPr><p:ph type="{kind}"/></p:nvPr>' if kind else ""
    link = f'<a:rPr><a:hlinkClick r:id="{link}"/></a:rPr>' if link else ""
    return f"<p:sp><p:nvSpPr>{mark}</p:nvSpPr><p:txBody><a:p><a:r>{link}<a:t>{text}</a:t></a:r></a:p></p:txBody></p:sp>"


def odt(body: str, meta: str = "", kind: str = ODT, **more: str) -> bytes:
    content = f"<office:document-content {OPEN} {DRAW}><office:body>{body}</office:body></office:document-content>"
    described = f"<office:document-meta {OPEN} {DC}>{meta}</office:document-meta>"
    return packed({"mimetype": kind, "content.xml": content, "meta.xml": described, **more})


def epub(*chapters: str | bytes, meta: str = "<dc:title>A book of tea</dc:title>", **more: str) -> bytes:
    items = "".join(f'<item id="c{rank}" href="text/c%20{rank}.xhtml"/>' for rank in range(len(chapters)))
    spine = "".join(f'<itemref idref="c{rank}"/>' for rank in range(len(chapters)))
    return packed(
        {
            "mimetype": EPUB,
            "META-INF/container.xml": '<c><rootfiles><rootfile full-path="OEBPS/x.opf"/></rootfiles></c>',
            "OEBPS/x.opf": f"<package {DC}><metadata>{meta}</metadata><manifest>{items}</manifest>"
            f"<spine>{spine}</spine></package>",
            **{f"OEBPS/text/c {rank}.xhtml": chapter for rank, chapter in enumerate(chapters)},
            **more,
        }
    )


def run(text: str) -> str:
    return f"<w:r><w:t>{text}</w:t></w:r>"


def p(text: str, before: str = "", style: str = "") -> str:
    style = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f"<w:p>{style}{before}{run(text)}</w:p>"


def read(body: bytes, kind: str = "") -> Page:
    return read_page(body, URL, {"content-type": kind} if kind else {})


def said(page: Page) -> list[str]:
    return page.text.removeprefix(page.title).strip("\u2029 ").split("\u2029")


def at(page: Page, position: Position) -> list[str]:
    return [page.text[span.start : span.end].strip("\u2029 ") for span in page.spans if span.position == position]


STYLES = '<w:style w:styleId="a3"><w:name w:val="heading 1"/></w:style>' + (
    '<w:style w:styleId="mine"><w:basedOn w:val="a3"/></w:style>'
    '<w:style w:styleId="level"><w:pPr><w:outlineLvl w:val="1"/></w:pPr></w:style>'
)
FIELD = '<w:r><w:fldChar w:fldCharType="%s"/></w:r>'
CODE = (
    '<w:r><w:instrText> HYPERLINK "http://b.example/</w:instrText></w:r>'
    '<w:r><w:instrText>x" \\o "tip"</w:instrText></w:r>'
)
INNER = FIELD % "begin" + FIELD % "separate" + run("text") + FIELD % "end"


def test_a_word_processor_s_file_has_title_headings_and_links() -> None:
    body = p("绿茶", style="a3") + p("Kinds", style="level") + p("Mine", style="mine")
    link = f'<w:hyperlink r:id="l">{run("the ")}{run("page")}</w:hyperlink>'
    body += f"<w:p>{run('See ')}{link}</w:p>"
    core = "<dc:title>All of tea</dc:title><dc:language>zh</dc:language>"
    page = read(docx(body, {"l": "../other.docx"}, styles=STYLES, core=core))
    assert (page.title, at(page, Position.H1), at(page, Position.H2)) == ("All of tea", ["绿茶", "Mine"], ["Kinds"])
    assert [(link.url, link.anchor) for link in page.links] == [("http://a.example/other.docx", "the page")]


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (p("one") + p("two"), ["one", "two"]),
        (
            "<w:p><w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t><w:noBreakHyphen/><w:t>d</w:t></w:r></w:p>",
            ["a b", "c-d"],
        ),
        (f"<w:tbl><w:tr><w:tc>{p('a')}</w:tc><w:tc>{p('b')}</w:tc></w:tr></w:tbl>", ["a", "b"]),
        (
            f"<w:p><w:r><w:pict><w:txbxContent>{p('box')}</w:txbxContent></w:pict></w:r>{run('beside')}</w:p>",
            ["box", "beside"],
        ),
        (f"<w:p><A><Choice>{run('new')}</Choice><Fallback>{run('old')}</Fallback></A></w:p>", ["new"]),
        (
            p(
                "kept",
                "<w:del><w:r><w:delText>gone</w:delText></w:r></w:del><w:moveFrom><w:r><w:t>moved</w:t></w:r></w:moveFrom>",
            ),
            ["kept"],
        ),
        (p("seen", "<w:r><w:rPr><w:vanish/></w:rPr><w:t>hidden</w:t></w:r>"), ["seen"]),
        (p("seen", "<w:pPr><w:rPr><w:vanish/></w:rPr></w:pPr>"), ["seen"]),
        (f"<w:sdt><w:sdtContent>{p('form')}</w:sdtContent></w:sdt>", ["form"]),
        ("<w:p><m:oMath xmlns:m='m'><m:r><m:t>E=mc</m:t></m:r></m:oMath></w:p>", ["E=mc"]),
    ],
)
def test_what_stands_in_a_text_is_read(body: str, text: list[str]) -> None:
    assert said(read(docx(p("Title") + body, core="<dc:title>T</dc:title>"))) == ["Title", *text]


@pytest.mark.parametrize(
    "body",
    [
        p("after", FIELD % "begin" + CODE + FIELD % "separate" + "<w:r><w:t>text</w:t></w:r>" + FIELD % "end"),
        '<w:p><w:fldSimple w:instr="HYPERLINK http://b.example/x"><w:r><w:t>text</w:t></w:r></w:fldSimple></w:p>',
        p("", FIELD % "begin" + "<w:r><w:instrText>PAGE</w:instrText></w:r>" + FIELD % "end")
        + p("after", FIELD % "begin" + CODE + FIELD % "separate" + INNER + FIELD % "end"),
    ],
)
def test_fields_are_links(body: str) -> None:
    assert [(link.url, link.anchor) for link in read(docx(body)).links] == [("http://b.example/x", "text")]


@pytest.mark.parametrize(
    "body",
    [
        docx(p("tea"), core="<dc:language>en-GB</dc:language>", styles='<w:lang w:val="fr"/>'),
        docx(p("tea"), styles='<w:rPr><w:lang w:val="en-GB" w:eastAsia="zh-CN"/></w:rPr>'),
        pptx('<p:sp><a:p><a:r><a:rPr lang="en-GB"/><a:t>tea</a:t></a:r></a:p></p:sp>'),
        odt("<text:p>tea</text:p>", "<dc:language>en-GB</dc:language>"),
        odt("<text:p>tea</text:p>", **{"styles.xml": '<s><text-properties language="en-GB"/></s>'}),
        epub("<p>tea</p>", meta="<dc:title>A</dc:title><dc:title>B</dc:title><dc:language>en-GB</dc:language>"),
    ],
)
def test_the_language_that_a_document_declares_is_known(body: bytes) -> None:
    page = read(body)
    assert (page.language, page.title in ("tea", "A")) == ("en-gb", True)


def test_notes_follow_the_text_in_any_main_part() -> None:
    page = read(docx(p("text"), footnotes=p("a footnote"), endnotes=p("an endnote"), main="/word/document2.xml"))
    assert (page.title, page.text.split("\u2029")[1:]) == ("text", ["text", "a footnote", "an endnote"])


def test_slides_are_read_in_their_order_with_notes() -> None:
    notes = shape("say hello", "body") + shape("7", "sldNum")
    first = shape("Spring", "title") + shape("leaves", link="l") + shape("12", "sldNum") + shape("foot", "ftr")
    page = read(pptx(first, shape("Autumn", "ctrTitle"), links={"l": "http://b.example/"}, notes=notes))
    assert page.text.split("\u2029") == ["Autumn", "Autumn", "Spring", "leaves", "say hello"]
    assert [(link.url, link.anchor) for link in page.links] == [("http://b.example/", "leaves")]
    assert (at(page, Position.H1), at(page, Position.H2)) == (["Autumn"], ["Spring"])


def test_a_hidden_slide_is_not_read() -> None:
    parts = unpacked(pptx(shape("hidden"), shape("shown")))
    parts["ppt/slides/slide0.xml"] = parts["ppt/slides/slide0.xml"].replace(b"<p:sld ", b'<p:sld show="0" ')
    page = read(packed(parts))
    assert ("shown" in page.text, "hidden" in page.text) == (True, False)


def test_an_open_document_is_read() -> None:
    note = "<text:note-citation>1</text:note-citation><text:note-body><text:p>a footnote</text:p></text:note-body>"
    body = (
        '<text:h text:outline-level="2">Kinds</text:h><text:p text:style-name="Title">All</text:p>'
        '<text:p>a<text:s text:c="2"/>b<text:tab/>c <text:a xlink:href="../x.odt">next</text:a>'
        f"<text:note>{note}</text:note></text:p>"
        "<text:tracked-changes><text:p>gone</text:p></text:tracked-changes>"
        "<text:list><text:list-item><text:p>item</text:p></text:list-item></text:list>"
    )
    page = read(odt(body, "<dc:title>Of tea</dc:title><dc:language>en-GB</dc:language>"))
    assert page.text.split("\u2029") == ["Of tea", "Kinds", "All", "a footnote", "a b c next", "item"]
    assert (at(page, Position.H2), at(page, Position.H1)) == (["Kinds"], ["All"])
    assert [(link.url, link.anchor) for link in page.links] == [("http://a.example/folder/x.odt", "next")]


def test_an_open_presentation_is_read() -> None:
    body = (
        '<draw:page><draw:frame presentation:class="title"><text:p>春茶</text:p></draw:frame>'
        '<draw:a xlink:href="http://b.example/"><draw:frame/></draw:a>'
        '<draw:frame presentation:class="page-number"><text:p>7</text:p></draw:frame>'
        "<draw:custom-shape><text:p>shape</text:p></draw:custom-shape></draw:page>"
    )
    page = read(odt(body, kind="application/vnd.oasis.opendocument.presentation"))
    assert (page.title, page.text.split("\u2029")[1:]) == ("春茶", ["春茶", "shape"])
    assert [link.url for link in page.links] == ["http://b.example/"]


def test_chapters_are_read_in_the_order_of_the_spine() -> None:
    first = '<html><head><title/><base href="http://c.example/"/></head><body><h1>One<a id="a"/></h1>'
    first += "<p>tea</p><script/><p>x</p></body></html>"
    second = '<html><body><p><a href="c%200.xhtml">back</a> <a class="l" href="http://b.example/">out</a><br/>end</p></body></html>'
    page = read(epub(first, second, meta="<dc:title>A book</dc:title><dc:language>en</dc:language>"))
    assert page.text.split("\u2029") == ["A book", "One", "tea", "x", "back out", "end"]
    assert [(link.url, link.anchor) for link in page.links] == [("http://b.example/", "out")]
    assert (page.title, page.language, at(page, Position.H1)) == ("A book", "en", ["One"])


@pytest.mark.parametrize(
    ("body", "text", "left_out"),
    [
        (docx(p("kept") + "<w:p><w:r>"), "kept", "parts that are broken"),
        (docx(p("kept"), styles="<!-- "), "kept", "parts that are broken"),
        (docx(p("kept") + "<w:p>" * 2000), "kept", "parts that are nested too deep, or have too many elements"),
        (epub("<p>kept</p>", b"\x93\xf1\x02" * 90), "kept", "parts that are encrypted"),
        (
            packed({"mimetype": ODT, "content.xml": f"<office:text {OPEN}><text:p>kept</text:p>".encode() + b"\xff"}),
            "kept",
            "parts that are broken",
        ),
        (docx(p("kept") + p("x" * 900) * 400), "kept", "later characters"),
    ],
)
def test_what_is_broken_is_left_out_alone(body: bytes, text: str, left_out: str) -> None:
    page = bounded(read(body))
    assert text in page.text
    assert left_out in [one.kind for one in page.left_out]
    assert unpack(pack(page), URL).left_out == page.left_out


LAUGHS = '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]>'
OUTSIDE = '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>'


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (packed({"a.txt": "x"}), "no document"),
        (packed({"[Content_Types].xml": "<x/>"}), "no document"),
        (b"PK\x03\x04" + bytes(100), "broken ZIP"),
        (docx(""), "without text"),
        (odt("<office:text/>"), "without text"),
        (epub("<body><img src='a.png'/></body>"), "without text"),
        (pptx(shape("x")).replace(b"ppt/presentation.xml", b"ppt/presentatiom.xml", 1), "no document"),
        (locked(odt("x")), "password"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(99), "password"),
        (odt("x", **{"META-INF/manifest.xml": "<x><encryption-data/></x>"}), "password"),
        (
            packed(
                {"mimetype": ODT, "content.xml": LAUGHS + f"<office:text {OPEN}><text:p>&b;</text:p></office:text>"}
            ),
            "entities",
        ),
        (
            packed(
                {"mimetype": ODT, "content.xml": OUTSIDE + f"<office:text {OPEN}><text:p>&a;</text:p></office:text>"}
            ),
            "entities",
        ),
        (open_document("<a>" + " " * 30_000_000), "20 MB"),
        (open_document("<a>" + "<b/>" * 1_100_000), "too many"),
        (
            packed({"mimetype": ODT, "content.xml": "<a/>", **{f"x{rank}": "" for rank in range(10_001)}}),
            "more than 10000",
        ),
        (packed({"mimetype": ODT.replace("text", "spreadsheet"), "content.xml": "<a/>"}), "no document"),
        (packed({"mimetype": ODT, "content.xml": "<a/>"}, zipfile.ZIP_LZMA), "without text"),
    ],
)
def test_what_cannot_be_read_says_why(body: bytes, reason: str) -> None:
    with pytest.raises(PageError, match=reason):
        read(body)


def test_names_in_an_archive_lead_nowhere() -> None:
    """Names with backslashes are found; those that lead out of the archive name its own parts at most."""
    parts = unpacked(docx(p("kept")))
    assert "kept" in read(packed({name.replace("/", "\\"): content for name, content in parts.items()})).text
    book = unpacked(epub("<p>kept</p>"))
    book["OEBPS/x.opf"] = book["OEBPS/x.opf"].replace(b"text/c%20", b"../../../OEBPS/text/c%20")
    assert "kept" in read(packed(book)).text


def test_a_package_without_relationships_has_the_usual_parts():
    text = f"<w:document {W} {R}><w:body>{p('Green tea')}</w:body></w:document>"
    assert "Green tea" in read(packed({"[Content_Types].xml": "<Types/>", "word/document.xml": text})).text
