import pytest

from cli.crawling.answering_schemes import http_for
from cli.inputs.seed_lists import read_addresses, read_seeds
from crawler.ports import Failed, Fetched
from ontology.errors import SettingsError


def test_a_file_may_have_bom_remarks_blank_lines_and_repeats(tmp_path):
    path = tmp_path / "seeds.txt"
    path.write_bytes(
        "\ufeff# where to begin\r\nhttp://a.example/\r\n\r\n  https://b.example/x \nhttp://a.example/\n".encode()
    )
    assert read_seeds([str(path), "HTTP://C.example#x"]) == (
        "http://a.example/",
        "https://b.example/x",
        "http://c.example/",
    )


def test_a_host_without_a_scheme_means_https(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "linux.cn").write_text("http://a.example/\nlinux.cn/tag # bare\n", encoding="utf-8")
    assert read_seeds(["www.Linux.cn", "例子.cn/茶"]) == ("https://www.linux.cn/", "https://xn--fsqu00a.cn/%E8%8C%B6")
    assert read_seeds(["linux.cn"]) == ("http://a.example/", "https://linux.cn/tag")  # a file of this name comes first


def test_a_host_without_https_is_asked_by_http():
    tea, cafe, lost = "tea.org/", "cafe.org/a", "lost.org/"
    answers = {
        "https://tea.org/robots.txt": Failed("", "connect"),
        "http://tea.org/robots.txt": Fetched("", 404, {}, b""),
        "https://cafe.org/robots.txt": Fetched("", 404, {}, b""),
        "https://lost.org/robots.txt": Failed("", "dns"),
    }

    class Web:
        async def fetch(self, url, conditions=(), *, robots):
            return answers[url]

        async def close(self):
            pass

    given = [tea, cafe, lost, "https://tea.org/b"]
    asked = ["http://tea.org/", "https://cafe.org/a", "https://lost.org/", "https://tea.org/b"]
    assert list(read_seeds(given, lambda urls: http_for(urls, Web))) == asked


@pytest.mark.parametrize("name", ["seeds.txt", "localhost", "topic.owl"])
def test_what_is_no_name_of_the_internet_is_a_file(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SettingsError, match=f"{name} cannot be read"):
        read_seeds([name])


@pytest.mark.parametrize(
    "line", ["example.nowhere", "ftp://a.example/", "http://", "http://[1/", "http://a.example:x/"]
)
def test_a_line_that_is_no_web_address_is_named(tmp_path, line):
    path = tmp_path / "seeds.txt"
    path.write_text(f"http://a.example/\n{line}\n", encoding="utf-8")
    with pytest.raises(SettingsError, match=r"seeds.txt, line 2"):
        read_seeds([str(path)])


@pytest.mark.parametrize("line", ["<rdf:RDF>", "# Tea\n\nIt is a drink, grown in hills.", "茶 绿茶"])
def test_a_text_without_addresses_is_not_called_two_of_them(tmp_path, line):
    path = tmp_path / "README.md"
    path.write_text(line, encoding="utf-8")
    with pytest.raises(SettingsError, match="is no web address"):
        read_seeds([str(path)])


def test_a_remark_may_follow_an_address_and_fragments_are_none(tmp_path):
    path = tmp_path / "seeds.txt"
    path.write_text("https://a.example/ # home page\nhttps://b.example/x#part\n  # none\n", encoding="utf-8")
    assert read_seeds([str(path)]) == ("https://a.example/", "https://b.example/x")
    assert read_addresses(path, "--targets") == ("https://a.example/", "https://b.example/x#part")


@pytest.mark.parametrize(("encoding", "told"), [("utf-8", ""), ("gbk", "GB18030"), ("utf-16", "UTF-16-LE")])
def test_a_list_in_an_encoding_of_windows_is_read(tmp_path, capsys, encoding, told):
    path = tmp_path / "seeds.txt"
    path.write_bytes("# 茶园\r\nhttp://a.example/茶\r\n".encode(encoding))
    assert read_seeds([str(path)]) == ("http://a.example/%E8%8C%B6",)
    said = capsys.readouterr().err
    assert (told in said) and (said.count("\n") == bool(told))
    assert read_addresses(path, "--targets") == ("http://a.example/茶",)


def test_no_seed_at_all_is_an_error(tmp_path):
    path = tmp_path / "seeds.txt"
    path.write_text("# none yet\n", encoding="utf-8")
    with pytest.raises(SettingsError, match="no seed"):
        read_seeds([str(path)])


@pytest.mark.parametrize("content", [None, "# Grüner Tee".encode("latin-1"), b"\xff\xfeh"])
def test_a_file_that_cannot_be_read_is_an_error(tmp_path, content):
    path = tmp_path / "seeds.txt"
    if content:
        path.write_bytes(content)
    with pytest.raises(SettingsError, match="cannot be read"):
        read_seeds([str(path)])


def test_a_file_of_nearly_this_name_is_proposed(tmp_path):
    (tmp_path / "seeds.txt").touch()
    with pytest.raises(SettingsError, match=r"^--seeds: .*/seed.txt cannot be read: there is no such file$") as refused:
        read_seeds([str(tmp_path / "seed.txt")])
    assert refused.value.cure == f"did you mean {tmp_path}/seeds.txt?"


@pytest.mark.parametrize(
    "line",
    [
        "http://a.example/ http://b.example/",
        "http://a.example/，http://b.example/",
        "http://a.example/,http://b.example/",
        "http://a.example/ 茶园笔记",
        "http://a.example/\u3000茶园笔记",
    ],
)
def test_a_line_of_more_than_an_address_is_not_one(tmp_path, line):
    path = tmp_path / "seeds.txt"
    path.write_text(f"http://a.example/x,y;z\n{line}\n", encoding="utf-8")
    with pytest.raises(SettingsError, match=r"seeds.txt, line 2: .* is more than one address") as refused:
        read_seeds([str(path)])
    assert "one address on each line" in refused.value.cure


def test_a_comma_of_a_title_parts_no_address(tmp_path):
    path = tmp_path / "seeds.txt"
    path.write_text("https://zh.wikipedia.org/wiki/我，机器人\nhttp://a.example/1,2;3|4、5\n", encoding="utf-8")
    assert len(read_seeds([str(path)])) == 2


@pytest.mark.parametrize("typed", ["http：//a.example/", "http:／／a.example", "ｈttp://a.example"])
def test_an_address_typed_on_a_chinese_keyboard_is_proposed_right(tmp_path, typed):
    for given in (typed, str(tmp_path / "seeds.txt")):
        (tmp_path / "seeds.txt").write_text(f"{typed}\n", encoding="utf-8")
        with pytest.raises(SettingsError, match="is no web address") as refused:
            read_seeds([given])
        assert refused.value.cure == "did you mean http://a.example/?"
