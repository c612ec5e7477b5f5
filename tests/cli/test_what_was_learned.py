"""The lines of `status` about what a strategy has learned."""

from cli.explaining.what_was_learned import learned_lines


def test_layers_that_no_page_has_shown_are_not_told():
    seen, unseen = ({"what": f"layer {n}", "worth": 0.03, "pages": 2 - n} for n in (1, 2))
    told = {"learns": True, "order": {"wrong": None}, "numbers": {}}
    assert len(list(learned_lines({**told, "lists": {"predecessor layers": [seen, unseen]}}))) == 2
    assert not list(learned_lines({**told, "lists": {"predecessor layers": [unseen]}}))
