"""A crawl that ends by what it has of each concept."""

from crawler.engine.coverage_goal import Coverage, goals_of, outside_links
from semantic.records import ConceptRecord, MentionedRecord, MentionRecord

CONCEPTS = [
    ConceptRecord(iri="urn:drink", label="drink", weight=1.0, narrower=("urn:tea", "urn:kept")),
    ConceptRecord(iri="urn:tea", label="tea", weight=None, narrower=("urn:green",)),
    ConceptRecord(iri="urn:green", label="green tea", weight=None),
    ConceptRecord(iri="urn:kept", label="urn:kept", weight=1.0),  # it has no word
    ConceptRecord(iri="urn:list", label="list", weight=None, layer=1),
    ConceptRecord(iri="urn:other", label="other", weight=None),  # it counts for no feature
]


def coverage(wanted=1):
    return Coverage(goals_of(CONCEPTS), wanted)


def test_only_words_of_the_topic_can_be_covered():
    assert set(goals_of(CONCEPTS).labels) == {"urn:drink", "urn:tea", "urn:green"}


def test_a_page_covers_what_is_above_its_concept():
    found = coverage()
    found.set_mentions("http://a/", ["urn:green"])
    assert not found.is_reached
    found.set_on_topic("http://a/", on_topic=True)
    assert found.is_reached and found.lacking() == []


def test_of_a_page_off_topic_nothing_counts_any_more():
    found = coverage()
    found.set_mentions("http://a/", ["urn:green"])
    for on_topic in (True, True, False, False):
        found.set_on_topic("http://a/", on_topic=on_topic)
    assert found.lacking() == [("drink", 0), ("green tea", 0), ("tea", 0)]


def test_a_page_that_is_read_again_counts_as_it_is():
    found = coverage()
    found.set_mentions("http://a/", ["urn:green"])
    found.set_on_topic("http://a/", on_topic=True)
    found.set_mentions("http://a/", ["urn:tea", "urn:other"])
    assert found.covered == (2, 3) and found.lacking() == [("green tea", 0)]


def test_pages_of_earlier_runs_count():
    before = [MentionedRecord("http://a/", True, ("urn:green",)), MentionedRecord("http://b/", False, ("urn:green",))]
    found = Coverage(goals_of(CONCEPTS), 2, before)
    assert found.lacking() == [("drink", 1), ("green tea", 1), ("tea", 1)]
    found.set_on_topic("http://b/", on_topic=True)
    assert found.is_reached


def test_without_goals_nothing_is_reached():
    assert not Coverage(goals_of(CONCEPTS[3:]), 1).is_reached


def test_what_stands_in_links_alone_is_left_out():
    said = (MentionRecord("urn:a", 2, 1.0, {"anchor": 2}), MentionRecord("urn:b", 2, 1.0, {"anchor": 1, "h1": 1}))
    assert outside_links(said) == ("urn:b",)
