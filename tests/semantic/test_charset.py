"""Chinese pages read right with a right, a missing and a lying label."""

import pytest

from semantic.parsing.charsets import decode

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
    ("page", "codec", "charset"),
    [(CHINESE, "gbk", "gbk"), (TRADITIONAL, "big5", "big5"), (CHINESE, "utf-8", "utf-8")],
)
def test_any_label_reads_right(page: str, codec: str, charset: str, meta: str, content_type: str | None) -> None:
    text = page.format(meta=meta)
    assert decode(text.encode(codec), content_type) == (text, charset)


def test_header_gb2312_reads_characters_of_gb18030() -> None:
    assert decode("朱镕基㐀".encode("gb18030"), "text/html; charset=gb2312") == ("朱镕基㐀", "gbk")


def test_the_pages_own_label_holds_where_the_header_has_none() -> None:
    text = "<meta charset='windows-1251'><p>да"
    assert decode(text.encode("windows-1251"), "text/html") == (text, "windows-1251")


def test_the_header_goes_before_the_pages_own_label() -> None:
    text = "<meta charset='koi8-r'><p>да"
    assert decode(text.encode("windows-1251"), "text/html; charset=windows-1251") == (text, "windows-1251")


@pytest.mark.parametrize("codec", ["utf-8-sig", "utf-16"])
def test_a_byte_order_mark_goes_before_everything(codec: str) -> None:
    text, charset = decode("数据".encode(codec), "text/html; charset=big5")
    assert text == "数据"
    assert charset in ("utf-8", "utf-16le", "utf-16be")


def test_utf8_with_a_few_bad_bytes_stays_utf8() -> None:
    good = "数据" * 20
    assert decode(good.encode() + b"\xff<p>", None) == (good + "\ufffd<p>", "utf-8")
    assert decode((good + "库").encode()[:-1], None) == (good + "\ufffd", "utf-8")


def test_western_text_without_a_label() -> None:
    text = "<p>Un café à côté de l'hôtel, où l'été a été très agréable.</p>"
    assert decode(text.encode("latin-1"), None) == (text, "windows-1252")


def test_no_bytes_are_no_text() -> None:
    assert decode(b"", None) == ("", "utf-8")
