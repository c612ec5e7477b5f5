"""The lines of `status` about what a strategy has learned."""

import json

import pytest
from test_end_to_end import HOST, ONTOLOGY, PAGES, crawl, ontocrawl, warc

from cli.explaining.what_was_learned import learned_lines

WITH_A_DETAIL_PAGE = {**PAGES, "/black": ("Black tea", f"<p>{'Black tea is tea, and keeps. ' * 200}</p>")}


def test_layers_that_no_page_has_shown_are_not_told():
    seen, unseen = ({"what": f"layer {n}", "worth": 0.03, "pages": 2 - n} for n in (1, 2))
    told = {"learns": True, "order": {"wrong": None}, "numbers": {}, "notes": []}
    assert len(list(learned_lines({**told, "lists": {"predecessor layers": [seen, unseen]}}))) == 2
    assert not list(learned_lines({**told, "lists": {"predecessor layers": [unseen]}}))


@pytest.mark.parametrize(
    ("settings", "counts", "told"),
    [
        (
            'strategy = "jlse"\n[parameters]\ncf = 40',
            {},
            {
                "en": "G_w was never built: there are 1 of the 40 results (a multiple of cf) that it needs",
                "zh": "从未建立 G_w：需要 40 个结果（cf 的倍数），现有 1 个",
            },
        ),
        (
            'strategy = "jlse"\n[parameters]\ncf = 1',
            {"vertices by Q": {"1": 2, "0.9": 1}},
            {
                "en": "Q of these vertices: 1 in 2, 0.9 in 1; 67% have the commonest value",
                "zh": "这些顶点的 Q：1 有 2 个、0.9 有 1 个；67% 为最常见的值",
            },
        ),
        (
            'strategy = "adaptive"\n[parameters]\nT = 1\nS = 0',
            {"intervals by rule": {"none": 1, "1": 3, "2": 0, "3": 0}},
            {
                "en": "rule 2 was never used, because it needs an interval in which more than 70%",
                "zh": "规则 2 从未使用，因为它要求一个区间内保留的页面有超过 70%",
            },
        ),
    ],
)
def test_status_tells_what_has_no_effect(tmp_path, settings, counts, told):
    (tmp_path / "tea.ttl").write_text(ONTOLOGY, encoding="utf-8")
    (tmp_path / "seeds.txt").write_text(f"{HOST}/\n", encoding="utf-8")
    (tmp_path / "web.warc").write_bytes(warc(WITH_A_DETAIL_PAGE))
    (tmp_path / "own.toml").write_text(settings, encoding="utf-8")
    done = crawl(tmp_path, "--settings", "own.toml", "--max-pages", "4")
    assert done.returncode == 0, done.stderr
    assert json.loads(ontocrawl(tmp_path, "status", "--json").stdout)["learned"]["counts"] == counts
    for language, line in told.items():
        shown = ontocrawl(tmp_path, "--lang", language, "status").stdout
        assert "".join(line.split()) in "".join(shown.split())  # lines are as wide as the terminal
