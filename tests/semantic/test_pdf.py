"""PDF files as pages."""

import pytest

from benchmarks.pdf_files import line, link, locked, pdf
from ontology.errors import PageError
from semantic.page import Page, Position
from semantic.parsing.page_reader import pack, read_page, unpack

URL = "http://a.example/paper.pdf"


def read(body: bytes, **headers: str) -> Page:
    return read_page(body, URL, {"content-type": "application/pdf", **headers})


def at(page: Page, position: Position) -> list[str]:
    return [page.text[span.start : span.end].strip() for span in page.spans if span.position == position]


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
        (b"%PDF-1.7\n", "cannot be read as PDF"),
        (pdf(line("tea", 10, 700))[:300], "cannot be read as PDF"),
        (b"%PDF-1.7\n" + bytes(range(256)) * 100, "cannot be read as PDF"),
        (pdf(""), "without text"),
        (locked(pdf(line("tea", 10, 700)), "secret"), "needs a password"),
        (pdf("\0" * 50_000_000, packed=True), "without text"),
        (pdf("BT /F1 9 Tf " + "(a) Tj " * 500_000 + "ET", packed=True), "without text"),
        (pdf("BT /F1 9 Tf " + "[" * 50_000 + "]" * 50_000 + " TJ ET", packed=True), "cannot be read as PDF"),
        (pdf(line("tea", 10, 700)).replace(b"/Kids[8 0 R]", b"/Kids[2 0 R]"), "cannot be read as PDF"),
    ],
)
def test_what_cannot_be_read_says_why(body: bytes, reason: str) -> None:
    """Cut short, no PDF at all, pictures only, encrypted, three bombs, a tree of pages that bites its tail."""
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
