"""PDF files as pages."""

import pytest

from benchmarks.pdf_files import line, link, locked, pdf
from semantic.page import Page, Position
from semantic.parsing.page_reader import pack, read_page, unpack
from semantic.reasons import PageError, Reason, because

URL = "http://a.example/paper.pdf"


def read(body: bytes, **headers: str) -> Page:
    return read_page(body, URL, {"content-type": "application/pdf", **headers})


def at(page: Page, position: Position) -> list[str]:
    return [page.text[span.start : span.end].strip() for span in page.spans if span.position == position]


def predefined(text: str, codec: str, cmap: str) -> bytes:
    """A file in a font that is not embedded, by a CMap that it does not contain."""
    shown = f"BT /F3 12 Tf 72 700 Td <{text.encode(codec).hex()}> Tj ET"
    return pdf(shown).replace(b"UniGB-UCS2-H", cmap.encode())


PLAIN = pdf(line("green tea", 10, 700))


def test_large_letters_make_headings_and_close_lines_one_block() -> None:
    page = read(
        pdf(
            line("How tea is made", 24, 700)
            + line("Picking", 16, 650)
            + line("The leaves of green tea are picked by hand and fer-", 10, 620)
            + line("mented not at", 10, 608)
            + line("all.", 10, 596)
            + line("Another paragraph.", 10, 540)
        )
    )
    assert page.title == "How tea is made"
    assert at(page, Position.H1) == ["How tea is made"]
    assert at(page, Position.H2) == ["Picking"]
    assert at(page, Position.OTHER) == [
        "The leaves of green tea are picked by hand and fermented not at all.",
        "Another paragraph.",
    ]


def test_the_file_s_title_counts_unless_a_program_wrote_it() -> None:
    content = line("Large words", 20, 700) + line("small words, more of them", 10, 600)
    assert read(pdf(content, title="A title")).title == "A title"
    for machine in ("Microsoft Word - tea.doc", "paper.dvi", "Untitled"):
        assert read(pdf(content, title=machine)).title == "Large words"


def test_chinese_in_absent_fonts_is_read_with_lines_joined() -> None:
    page = read(pdf(line("绿茶是未经发", 12, 700, font="F3") + line("酵制成的茶", 12, 686, font="F3")))
    assert page.text.endswith("绿茶是未经发酵制成的茶")
    page = read(pdf(line("녹차를 만드는", 12, 700, font="F3") + line("방법", 12, 686, font="F3")))
    assert page.text.endswith("녹차를 만드는 방법")


def test_what_is_written_in_a_links_rectangle_is_its_anchor() -> None:
    page = read(
        pdf(
            line("See", 10, 700) + line("the tea page", 10, 700, x=100) + line("for more", 10, 700, x=200),
            notes=link("/tea", 98, 698, 180, 712) + link("http://b.example/", 400, 690, 450, 710),
        )
    )
    first, second = page.links
    assert (first.url, first.anchor, first.before[-4:]) == ("http://a.example/tea", "the tea page", "See ")
    assert (second.url, second.anchor, second.before[-8:]) == ("http://b.example/", "", "for more")


def test_bold_letters_have_weight_and_headers_of_the_answer_hold() -> None:
    page = read(pdf(line("plain", 10, 700) + line("bold", 10, 600, font="F2")), **{"x-robots-tag": "noindex"})
    assert at(page, Position.EMPHASIS) == ["bold"]
    assert (page.noindex, page.nofollow, page.source) == (True, False, "")


def test_the_first_pages_are_read() -> None:
    page = read(pdf(*(line(f"page number {n}", 10, 700) for n in range(1, 61))))
    assert "page number 50" in page.text
    assert "page number 51" not in page.text


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"%PDF-1.7\n", "none is found"),
        (pdf(line("tea", 10, 700))[:300], "none is found"),
        (b"%PDF-1.7\n" + bytes(range(256)) * 100, "none is found"),
        (pdf(""), "without text"),
        (locked(pdf(line("tea", 10, 700)), "secret"), "needs a password"),
        (pdf("\0" * 50_000_000, packed=True), "cannot be read: parts of pages"),
        (pdf("BT /F1 9 Tf " + "(a) Tj " * 500_000 + "ET", packed=True), "cannot be read: parts of pages"),
        (pdf("BT /F1 9 Tf " + "[" * 50_000 + "]" * 50_000 + " TJ ET", packed=True), "cannot be read: parts of pages"),
        (predefined("茶", "utf-16-be", "Identity-H"), "cannot be read: .*STSong-Light Identity-H"),
        (predefined("茶", "gbk", "Mine-H"), "cannot be read: .*STSong-Light Mine-H"),
        (PLAIN.replace(b"/BaseFont/Helvetica>>", b"/Encoding<</Differences[65/g1/g2]>>>>"), "cannot be read: .*font"),
    ],
)
def test_what_cannot_be_read_says_why(body: bytes, reason: str) -> None:
    """Cut short, no PDF at all, pictures only, encrypted, three bombs, fonts of whose codes no character is known."""
    with pytest.raises(PageError, match=reason):
        read(body)


def test_an_encrypted_file_that_needs_no_password_is_read() -> None:
    assert "tea" in read(locked(pdf(line("tea", 10, 700)), "")).text


def test_a_page_of_too_many_strokes_is_left_out_alone() -> None:
    page = read(pdf("0 0 m 1 1 l S " * 40_000, line("tea", 10, 700), packed=True))
    assert page.text.endswith("tea")


def test_half_a_character_is_none() -> None:
    cmap = "1 begincodespacerange <00> <ff> endcodespacerange 1 beginbfchar <41> <d83d> endbfchar"
    font = f"5 0 obj\n<</Length {len(cmap)}>>stream\n{cmap}\nendstream"
    body = pdf(line("A tea", 10, 700)).replace(b"/BaseFont/Helvetica>>", b"/BaseFont/Helvetica/ToUnicode 5 0 R>>")
    start, end = body.index(b"5 0 obj"), body.index(b"\nendobj", body.index(b"5 0 obj"))
    page = read(body[:start] + font.encode() + body[end:])
    assert unpack(pack(page), URL).text == page.text


@pytest.mark.parametrize(
    ("text", "codec", "cmaps"),
    [
        ("茶 tea 绿茶。", "gbk", "GB-EUC-H GBpc-EUC-V GBK-EUC-H GBKp-EUC-H GBK2K-V"),
        ("茶 tea 綠茶。", "big5", "B5pc-H ETen-B5-H ETenms-B5-V HKscs-B5-H"),
        ("茶 tea 緑茶。", "cp932", "90ms-RKSJ-H 90msp-RKSJ-V 90pv-RKSJ-H"),
        ("차 tea 녹차", "cp949", "KSCms-UHC-H KSCms-UHC-HW-V KSC-EUC-H"),
        ("茶 tea 绿茶。", "utf-16-be", "UniGB-UCS2-V UniGB-UTF16-H UniCNS-UTF16-V UniJIS-UCS2-HW-H UniKS-UTF16-H"),
        ("茶 tea 绿茶。", "utf-8", "UniGB-UTF8-H UniJIS-UTF8-V"),
    ],
)
def test_text_of_fonts_with_a_known_cmap_is_read(text: str, codec: str, cmaps: str) -> None:
    """Characters of one and of two bytes in one string."""
    assert {read(predefined(text, codec, cmap)).title for cmap in cmaps.split()} == {text}


def test_legible_text_beside_an_illegible_font_is_read() -> None:
    body = pdf(line("茶", 12, 700, font="F3") + line("legible", 12, 600)).replace(b"UniGB-UCS2-H", b"Identity-H")
    page = read(body)
    assert (page.title, page.text.split("\u2029")[1:]) == ("legible", ["legible"])
    assert "Identity-H" in str(page.left_out[0])


@pytest.mark.parametrize(
    ("cmap", "text", "shown"),
    [
        ("begincodespacerange <0000> <ffff> endcodespacerange", "tea", "000100020003"),
        ("begincodespacerange <00> <ff> endcodespacerange", "tea", "010203"),
    ],
)
def test_a_cmap_of_the_file_s_own_is_read(cmap: str, text: str, shown: str) -> None:
    """Its codes have two bytes or one; the characters are told by the other table."""
    wide = "00" * (len(shown) > 6)
    told = "".join(f"<{wide}0{rank}> <{ord(letter):04x}> " for rank, letter in enumerate(text, 1))
    tables = "".join(
        f"{number} 0 obj\n<</Length {len(held)}>>stream\n{held}\nendstream\nendobj\n"
        for number, held in ((20, cmap), (21, f"{len(text)} beginbfchar {told} endbfchar"))
    )
    body = pdf(f"BT /F3 12 Tf 72 700 Td <{shown}> Tj ET")
    body = body.replace(b"/Encoding/UniGB-UCS2-H", b"/Encoding 20 0 R/ToUnicode 21 0 R")
    assert read(body.replace(b"xref\n", tables.encode() + b"xref\n", 1)).title == text


@pytest.mark.parametrize(
    "body",
    [
        b"\r\n\r\n" + PLAIN,
        b"\xef\xbb\xbf" + PLAIN,
        b"Content-Type: application/pdf\r\n\r\n" + PLAIN,
        b"<br><b>Warning</b>: x" + PLAIN,
        bytes(1000) + PLAIN,
        PLAIN + b"\n<!-- page made in 1 s -->" * 200,
        PLAIN[:-6],
        PLAIN[: PLAIN.index(b"xref")],
        PLAIN.replace(b"startxref\n", b"startxref\n9"),
        PLAIN.replace(b"0000000", b"0000009"),
        PLAIN.replace(b"/Kids[8 0 R]", b"/Kids[2 0 R]"),
        PLAIN.replace(b"/Kids[8 0 R]", b"/Kids null"),
        PLAIN.replace(b"/Kids[8 0 R]", b"/Kids[7 null 99 0 R 8 0 R]"),
        PLAIN.replace(b"/Pages 2 0 R", b"/Pages null"),
        PLAIN.replace(b"/F1 3 0 R", b"/F1 99 0 R"),
        PLAIN.replace(b"/F1 3 0 R", b"/F1 null"),
        PLAIN.replace(b"/Resources", b"/Nothing"),
        PLAIN.replace(b"/BaseFont/Helvetica>>", b"/BaseFont/Helvetica/ToUnicode 9/FontDescriptor 7/Widths null>>"),
        PLAIN.replace(b"/BaseFont/Helvetica>>", b"/ToUnicode null/Encoding 7>>"),
        PLAIN.replace(b" Tj ET", b" Tj ET << /a ] > ) Tj [ (x"),
        PLAIN.replace(b"/Contents 7 0 R", b"/Contents [null 99 0 R 7 0 R]"),
        PLAIN.replace(b"<</Title()>>", b"7"),
        PLAIN.replace(b"/Info 6 0 R", b"/Info 99 0 R"),
        *(
            PLAIN.replace(b"/Annots[]", b"/Annots" + notes)
            for notes in (b" 7", b"(x)", b"<</a 7>>", b" 99 0 R", b"[null 7 (x) [1] <<>> 99 0 R]", b"[<</A null>>]")
        ),
        *(
            PLAIN.replace(b"/Annots[]", b"/Annots[<</Subtype/Link/Rect[0 0 9]/A %s>>]" % action)
            for action in (b"7", b"<</URI 7>>", b"<</URI(http://b.example/)>>", b"<</URI[1]>>")
        ),
    ],
)
@pytest.mark.parametrize("kind", ["application/pdf", "application/x-pdf", "text/html", "", "text/plain"])
def test_one_bad_part_does_not_lose_the_file(body: bytes, kind: str) -> None:
    page = read_page(body, URL, {"content-type": kind})
    assert page.title == "green tea"


def test_a_page_that_quotes_a_header_is_none() -> None:
    assert read_page(b"<title>Of PDF</title><p>%PDF-1.4", URL, {"content-type": "text/html"}).title == "Of PDF"


def test_what_was_left_out_is_told_and_kept() -> None:
    body = pdf(line("one", 10, 700), line("two", 10, 700), notes="null").replace(b"/Kids[8 0 R", b"/Kids[8 0 R 2 0 R")
    page = read(body)
    assert page.left_out == (Reason("the order of the pages"), Reason("notes or links that are broken"))
    assert unpack(pack(page), URL).left_out == page.left_out


@pytest.mark.parametrize(
    ("written", "title"),
    [
        (b"<feff7eff8336>", "绿茶"), (b"<fffeff7e3683>", "绿茶"), ("(绿茶的制作)".encode(), "绿茶的制作"),
        ("(绿茶 tea)".encode("gbk"), "绿茶 tea"), ("(茶類镕)".encode("gbk"), "茶類镕"),
        ("(Grüße aus Köln)".encode("latin-1"), "Grüße aus Köln"), (b"(a \\200 b)", "a • b"),
        (b"null", "green tea"), (b"7", "green tea"), (b"[(x)]", "green tea"),
    ],
)  # fmt: skip
def test_a_title_is_read_in_any_encoding(written: bytes, title: str) -> None:
    assert read(PLAIN.replace(b"<</Title()>>", b"<</Title %s>>" % written)).title == title


OPTIONS = "[[(o)(Oolong)][(g)(Green)]]"


@pytest.mark.parametrize(
    ("note", "text"),
    [
        ("/Subtype/Widget/FT/Tx/V(Oolong)", "Oolong"),
        ("/Subtype/Widget/FT/Tx/V<feff7eff8336>", "绿茶"),
        ("/Subtype/Widget/FT/Tx/V(green  tea)", ""),
        ("/Subtype/Widget/FT/Tx/V(Oolong)/F 2", ""),
        ("/Subtype/Widget/FT/Tx/V(Oolong)/Ff 8192", ""),
        ("/Subtype/Widget/FT/Tx/V null", ""),
        ("/Subtype/Widget/V(Oolong)/Parent<</FT/Tx>>", "Oolong"),
        (f"/Subtype/Widget/FT/Ch/V(o)/Opt{OPTIONS}", "Oolong"),
        (f"/Subtype/Widget/FT/Ch/V[(o)(g)]/Opt{OPTIONS}", "Oolong Green"),
        ("/Subtype/Widget/FT/Btn/V/Yes", ""),
        ("/Subtype/FreeText/Contents(Oolong)", "Oolong"),
        ("/Subtype/FreeText/AP<</N 7 0 R>>", "green tea"),
        ("/Subtype/Text/Contents(a comment)", ""),
    ],
)
def test_filled_fields_and_notes_are_text(note: str, text: str) -> None:
    """Each once, where the page itself does not say it. Text of a form is drawn by the page's contents here."""
    high = "Rect[60 690 300 720]" if text == "" else "Rect[60 500 300 520]"
    body = pdf(line("green tea", 10, 700), notes=f"<</{high}{note}>>")
    page = read(body.replace(b"<</Length", b"<</Resources<</Font<</F1 3 0 R>>>>/Length"))
    assert page.text.split("\u2029")[2:] == ([text] if text else [])


def test_a_page_whose_contents_are_lost_is_told() -> None:
    body = pdf(line("one", 10, 700), line("two", 10, 700)).replace(b"/Contents 9 0 R", b"/Contents 99 0 R")
    page = read(body)
    assert (page.title, page.left_out) == ("one", (because("broken pages", number=1),))


def test_a_form_of_xfa_is_told() -> None:
    page = read(PLAIN.replace(b"/Type/Catalog", b"/Type/Catalog/AcroForm<</XFA 6 0 R>>"))
    assert "XFA" in page.left_out[0].kind


def test_a_drawing_that_draws_itself_ends() -> None:
    form = b"/Type/XObject/Subtype/Form/Resources<</Font<</F1 3 0 R>>/XObject<</X 7 0 R>>>>"
    body = pdf(line("green tea", 10, 700) + "/X Do").replace(b"<</Length", b"<<%s/Length" % form)
    body = body.replace(b"/Resources<</Font", b"/Resources<</XObject<</X 7 0 R>>/Font")
    assert "green tea" in read(body).text
