"""Chinese pages read right with a right, a missing and a lying label."""

import pytest

from semantic.parsing.charsets import decode, query_in

CHINESE = (
    "<html><head>{meta}<title>数据库的历史</title></head><body><p class='main'>关系数据库管理系统把数据存放在表里，"
    "查询语言可以从多张表中取出需要的记录。人们在九十年代开始研究数据挖掘，从大量的数据中发现有用的知识。</p></body></html>"
)
TRADITIONAL = (
    "<html><head>{meta}<title>資料庫的歷史</title></head><body><p>關聯式資料庫管理系統把資料存放在表格裡，"
    "查詢語言可以從多張表格中取出需要的記錄。人們在九十年代開始研究資料探勘，從大量的資料中發現有用的知識。</p></body></html>"
)
LABELS = [
    ("", None),
    ("", "text/html"),
    ("", "text/html; charset=utf-8"),
    ("", 'text/html; charset="ISO-8859-1"'),
    ("", "text/html; charset=no-such-thing"),
    ("<meta charset=utf-8>", "text/html"),
    ('<meta http-equiv="Content-Type" content="text/html; charset=iso-8859-1">', None),
]


@pytest.mark.parametrize(("meta", "content_type"), LABELS)
@pytest.mark.parametrize(
    ("page", "codec", "charset"), [(CHINESE, "gbk", "gbk"), (TRADITIONAL, "big5", "big5"), (CHINESE, "utf-8", "utf-8")]
)
def test_any_label_reads_right(page: str, codec: str, charset: str, meta: str, content_type: str | None) -> None:
    text = page.format(meta=meta)
    assert decode(text.encode(codec), content_type) == (text, charset)


RUSSIAN, GOOD = "<meta charset='{}'><p>да", "数据" * 20
FRENCH = "<p>Un café à côté de l'hôtel, où l'été a été très agréable.</p>"
JAPANESE = "<p>日本語のページです"
TAIWANESE = "綠茶和紅茶的歷史，很多人喜歡喝茶。茶葉產於中國南方的山區，每年春天採摘。"


@pytest.mark.parametrize(
    ("data", "content_type", "text", "charset"),
    [
        ("朱镕基㐀".encode("gb18030"), "text/html; charset=gb2312", "朱镕基㐀", "gbk"),
        (RUSSIAN.format("cp1251").encode("cp1251"), "text/html", RUSSIAN.format("cp1251"), "windows-1251"),
        (RUSSIAN.format("koi8-r").encode("cp1251"), "x; charset=cp1251", RUSSIAN.format("koi8-r"), "windows-1251"),
        (GOOD.encode() + b"\xff<p>", None, GOOD + "\ufffd<p>", "utf-8"),
        ((GOOD + "库").encode()[:-1], None, GOOD + "\ufffd", "utf-8"),
        (FRENCH.encode("latin-1"), None, FRENCH, "windows-1252"),
        (JAPANESE.encode("iso2022_jp"), "text/html; charset=iso-2022-jp", JAPANESE, "iso-2022-jp"),
        (JAPANESE.encode("iso2022_jp"), None, JAPANESE, "iso-2022-jp"),
        (TAIWANESE.encode("big5"), "text/html; charset=gb2312", TAIWANESE, "big5"),
        (b"", None, "", "utf-8"),
    ],
)
def test_text_is_found_beside_labels_that_mislead(data: bytes, content_type: str, text: str, charset: str) -> None:
    assert decode(data, content_type) == (text, charset)


@pytest.mark.parametrize("codec", ["utf-8-sig", "utf-16"])
def test_a_byte_order_mark_goes_before_everything(codec: str) -> None:
    text, charset = decode("数据".encode(codec), "text/html; charset=big5")
    assert text == "数据"
    assert charset in ("utf-8", "utf-16le", "utf-16be")


SENTENCE = "绿茶和红茶的历史，很多人喜欢喝茶。"


@pytest.mark.parametrize(
    ("label", "codec", "charset"),
    [
        ("x-gbk", "gbk", "gbk"), ("GB_2312-80", "gbk", "gbk"), ("chinese", "gbk", "gbk"),
        ("cp936", "gbk", "gbk"), ("gb18030", "gb18030", "gb18030"), ("utf8;", "gbk", "gbk"),
        ("unicode", "gbk", "gbk"), ("utf-16", "gbk", "gbk"), ("utf-16", "utf-8", "utf-8"),
        ("hz-gb-2312", "hz", "hz-gb-2312"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("where", ["header", "meta", "late", "comment"])
def test_labels_as_servers_write_them(label: str, codec: str, charset: str, where: str) -> None:
    late = "<script>" + "x" * 9000 + "</script>"
    head = {
        "header": "",
        "meta": f"<meta charset='{label}'>",
        "late": f"{late}<meta content='text/html;charset={label}'>",
    }
    head["comment"] = f"<!-- <meta charset=big5> --><meta charset={label}>"
    html = f"{head[where]}<p>{SENTENCE * 3}"
    content_type = f"text/html; charset={label}" if where == "header" else "text/html"
    assert decode(html.encode(codec), content_type) == (html, charset)


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("content_type", ["text/html; charset=utf-16", "text/html; charset=utf-16be", "text/html"])
def test_utf16_without_a_mark_is_known_by_its_tags(codec: str, content_type: str) -> None:
    html = f"<html><title>一一一</title><p>{SENTENCE}"
    assert decode(html.encode(codec), content_type) == (html, codec.replace("-le", "le").replace("-be", "be"))


PIECES = "".join(f"<p>{SENTENCE[at:]}</p>" for at in range(8))
TORN = {"gbk": (b"\xff<p>", b"<p>\xff \xff"), "utf-8": (b"\xff<p>", "<p>页脚版权所有，很多人喜欢喝茶".encode("gbk"))}


@pytest.mark.parametrize("label", ["", "gb2312", "utf-8"])
@pytest.mark.parametrize("charset", TORN)
def test_bytes_that_do_not_belong_spoil_no_page(charset: str, label: str) -> None:
    good = PIECES.encode(charset)
    for torn in TORN[charset]:
        text, found = decode(good + torn + good, f"text/html; charset={label}")
        assert (found, text.count(SENTENCE)) == (charset, 2)


def test_a_footer_in_utf8_leaves_a_page_in_gbk() -> None:
    text, charset = decode(f"<meta charset=gbk>{PIECES}".encode("gbk") + "<p>页脚版权所有".encode(), None)
    assert (charset, text.count(SENTENCE)) == ("gbk", 1)


@pytest.mark.parametrize(
    ("charset", "sent"),
    [
        ("gbk", "k=%C2%CC%80%26%23128161%3B&a=%20b#"),
        ("gb18030", "k=%C2%CC%A2%E3%949%D95&a=%20b#"),
        ("big5", "k=%26%2332511%3B%A3%E1%26%23128161%3B&a=%20b#"),
        ("windows-1251", "k=%26%2332511%3B%88%26%23128161%3B&a=%20b#"),
        ("iso-2022-jp", "k=%26%2332511%3B%26%238364%3B%26%23128161%3B&a=%20b#"),
        ("utf-16le", "k=绿€💡&a=%20b#"),
        ("hz-gb-2312", "k=绿€💡&a=%20b#"),
        ("no-such", "k=%26%2332511%3B%26%238364%3B%26%23128161%3B&a=%20b#"),
    ],
)
def test_what_a_charset_lacks_is_sent_as_its_number(charset: str, sent: str) -> None:
    assert query_in(charset, "k=绿€💡&a=%20b#") == sent


@pytest.mark.parametrize(
    ("charset", "text", "sent"),
    [
        ("big5", "十═", "%A4Q%F9%F9"),
        ("shift_jis", "表髙ｱ", "%95\\%FB%FC%B1"),
        ("euc-jp", "表～", "%C9%BD%A1%C1"),
        ("euc-kr", "한", "%C7%D1"),
        ("koi8-r", "чай", "%DE%C1%CA"),
        ("iso-2022-jp", "茶表", "%1B$BCcI=%1B(B"),
    ],
)
def test_queries_as_whatwg_encodes_them(charset: str, text: str, sent: str) -> None:
    assert query_in(charset, text) == sent
