"""Features above a concept: by hand, against all of them written down, and in a chain that was 5 GB."""

import random

from ontology.concepts import Concept, Label, Ontology
from ontology.lexicon.hypernyms import Hypernyms, over
from ontology.lexicon.lexicon import build_lexicon
from ontology.topic import Topic

ABOVE = {"a": (), "b": ("a",), "c": ("a", "elsewhere"), "d": ("b", "c", "d"), "e": ("d", "f"), "f": ("e",)}


def test_features_above_are_counted_in_fewest_steps_nearest_first() -> None:
    hypernyms = Hypernyms(ABOVE, frozenset("ac"))
    assert hypernyms.of("e") == (("c", 2), ("a", 3))
    assert hypernyms.of("c") == (("c", 0), ("a", 1))
    assert hypernyms.nearest()["e"] == ("c", 2)
    assert hypernyms.nearest()["b"] == ("a", 1)


def test_a_limit_of_generations_ends_the_walk() -> None:
    assert Hypernyms(ABOVE, frozenset("ac"), 2).of("e") == (("c", 2),)
    assert Hypernyms(ABOVE, frozenset("ac"), 0).of("c") == (("c", 0),)


def test_the_nearest_is_the_first_of_all_in_any_graph() -> None:
    chance = random.Random(1)
    for _ in range(200):
        names = [str(i) for i in range(12)]
        above = {name: tuple(chance.sample(names, chance.randint(0, 3))) for name in names}
        hypernyms = Hypernyms(above, frozenset(chance.sample(names, 3)))
        assert hypernyms.nearest() == {name: hypernyms.of(name)[0] for name in names if hypernyms.of(name)}


def test_over_is_all_that_is_above_in_circles_too() -> None:
    assert over(["f"], ABOVE) == {"f", "e", "d", "b", "c", "a", "elsewhere"}


def test_a_chain_of_features_is_stored_once_and_not_squared(monkeypatch) -> None:  # type: ignore[no-untyped-def]
    walks: list[str] = []
    walk = Hypernyms.of
    monkeypatch.setattr(Hypernyms, "of", lambda self, concept: walks.append(concept) or walk(self, concept))
    chain = [Concept(f"c{i}", labels=(Label(f"tea {i}"),), parents=(f"c{i - 1}",)) for i in range(300)]
    concepts = {concept.iri: concept for concept in chain}
    lexicon = build_lexicon(Ontology("x", "x", concepts=concepts), Topic(None, "", dict.fromkeys(concepts, 1.0), {}))
    assert not walks
    last = lexicon.words[-1].senses[0]
    assert last.features[0] == ("c299", 0)
    assert len(last.features) == 300
    assert walks == ["c299"]
