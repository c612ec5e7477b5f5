"""The evidence of `fused`, its discounted future value and its exploration, with sums done by hand."""

import random
from dataclasses import dataclass, field
from math import log, log1p, tanh

import numpy as np
import pytest

from semantic.strategies.fused.crawl_evidence import NAMES, Groups, LinkingPages, Totals, dense
from semantic.strategies.fused.fused_scorer import opened
from semantic.strategies.fused.link_learner import Learner, Weights

MEAN = 0.25
TEMPLATE, PLACE, HOST, FOLDER = range(1, 5)


class Rings:
    """Address 1 is linked from pages 1 and 2 (with a template and a place each), address 0 from none."""

    def narrow(self, rows):
        pages = np.array([[0, 0], [1, 2]], np.int32)
        templates = np.array([[0, 0], [TEMPLATE, 0]], np.int32)
        places = np.array([[0, 0], [PLACE, 0]], np.int32)
        anchors = np.array([[0, 0], [1, 0]], np.int32)
        return [each[rows] for each in (pages, templates, places, anchors)]


@dataclass
class Addresses:
    at: dict
    size: int = 0

    def __len__(self) -> int:
        return self.size


def groups(**worth: tuple[float, int]) -> Groups:
    """Groups by name, in the order of their numbers, with the sum and the count of their pages."""
    made = Groups()
    for name, (total, count) in worth.items():
        number = made.number(name)
        made.sums[number], made.counts[number] = total, count
    return made


@dataclass
class Seen:
    addresses: Addresses
    pages: LinkingPages = field(default_factory=LinkingPages)
    groups: Groups = field(
        default_factory=lambda: groups(template=(0.9, 2), place=(1.0, 1), host=(0.6, 3), folder=(0.8, 1))
    )
    anchors: Groups = field(default_factory=lambda: groups(anchor=(0.5, 1)))
    chains: np.ndarray = field(default_factory=lambda: np.array([[0, 0, 0]] * FOLDER + [[HOST, FOLDER, 0]], np.int32))
    mean: float = MEAN


def test_each_number_of_the_evidence_by_hand():
    at = {
        "rings": Rings(), "place": np.array([0, FOLDER]), "folders": np.array([0, 2]),
        "depth": np.array([0, 3]), "links": np.array([0, 2]),
        "masses": np.array([[0, 0, 0, 0, 0], [1.0, 0.5, 0.0, 0.2, 0.0]]), "anchor_sum": np.array([0, 1.2]),
        "foreign": np.array([0, 1]), "position": np.array([0, 0.4]), "vertex": np.array([0, 5]),
        "q": np.array([0, 0.9]),
    }  # fmt: skip
    seen = Seen(Addresses(at))
    seen.pages.value[1:3] = 0.8, 0.2
    seen.pages.since[1:3] = 4, 3
    seen.pages.children.sums[1], seen.pages.children.counts[1] = 1.5, 2
    seen.groups.recent[[HOST, FOLDER]] = 0.7, 0.1
    template = (0.9 + 3 * MEAN) / (2 + 3)
    host = (0.6 + 3 * MEAN) / (3 + 3)
    behind = (1.5 + 3 * MEAN) / (2 + 3)
    expected = {
        "anchor": (0, tanh(1)),
        "anchors, mean": (0, tanh(0.6)),
        "context": (0, tanh(0.5)),
        "address": (0, 0),
        "layer 1": (0, tanh(0.2)),
        "layer 2": (0, 0),
        "best linking page": (0, 0.8),
        "linking pages, mean": (0, 0.5),
        "linking pages, sum": (0, log(2)),
        "links": (0, log(3)),
        "depth": (0, log(4)),
        "steps since a relevant page": (log(21), log(4)),
        "other host": (0, 1),
        "place on the page": (0, 0.4),
        "found behind a linking page, best": (MEAN, behind),
        "found behind linking pages": (MEAN, (behind + MEAN) / 2),
        "template": (MEAN, (template + MEAN) / 2),
        "template on the page": (MEAN, (1.0 + 3 * template) / (1 + 3)),
        "directory": (MEAN, (0.8 + 3 * host) / (1 + 3)),
        "host": (MEAN, host),
        "anchor text": (MEAN, ((0.5 + 3 * MEAN) / (1 + 3) + MEAN) / 2),
        "pages of the directory": (0, log(2)),
        "pages of the host": (0, log(4)),
        "host lately": (MEAN, 0.7),
        "directory lately": (MEAN, 0.1),
        "hashed words": (0.05, 0.15),
        "prior": (0, tanh(1) + 0.3 * tanh(0.5) + 0.5 * 0.8 + 0.1),
        "folders": (0, 2),
        "vertices alike": (MEAN, 0.9),
        "learned layer 1": (0, 0.6),
        "learned layer 2": (0, 0.7),
    }
    x = dense(np.array([0, 1], np.int32), seen, np.array([0.05, 0.15]), np.array([[0, 0], [0.6, 0.7]]))
    found = {name: tuple(x[:, column]) for column, name in enumerate(NAMES)}
    assert found == {name: pytest.approx(pair) for name, pair in expected.items()}


def test_a_page_opened_the_best_it_was_first_to_name():
    """Rows 1 to 3 are fetched, 4 and 5 wait, 6 has failed, and 7 was never linked."""
    at = {
        "ended": np.array([False, True, True, True, False, False, True, False]),
        "links": np.array([0, 0, 1, 1, 1, 1, 1, 0]),
        "score": np.array([0, 0, 0.3, 0.3, 0.7, 0.2, 0.99, 0.99]),
        "first": np.array([0, 0, 1, 1, 2, 1, 2, 2]),
    }

    @dataclass
    class Evidence:
        addresses: Addresses
        older: int = 0

    found = opened(Evidence(Addresses(at, 8)), np.array([1, 2, 3]), np.array([0.1, 0.9, 0.5]))
    assert found == pytest.approx([0.9 - 0.5, 0.7 - 0.5, 0.0])  # the going rate is the mean, 0.5


def learned(weights: Weights, best: float = 0.0) -> Learner:
    """Of 40 pages worth 0 or 0.6, of which the standard deviation is 0.3; none says anything of itself."""
    learner = Learner(weights)
    y = np.repeat([0.0, 0.6], 20)
    learner.fit(np.zeros((40, 48), np.int32), np.zeros((40, len(NAMES))), y, np.full(40, best), 40)
    return learner


def row(host_pages: float, folder_pages: float) -> np.ndarray:
    x = np.zeros((1, len(NAMES)))
    x[0, NAMES.index("pages of the host")] = log1p(host_pages)
    x[0, NAMES.index("pages of the directory")] = log1p(folder_pages)
    return x


def test_what_a_page_opens_is_learned_at_a_discount():
    known = row(1000, 1000)  # nothing is left to be seen there
    assert learned(Weights(), 0.5).value(known) == pytest.approx([0.3 + 0.3 * 0.5])
    assert learned(Weights(opening=0.0), 0.5).value(known) == pytest.approx([0.3])


def test_seldom_seen_links_get_a_bonus_more_where_little_remains():
    """u(3) = 1/sqrt(4) - 0.2 = 0.3 and u(0) = 0.8; before anything was chosen all is dry."""
    seldom = row(3, 0)
    assert learned(Weights(wide=1.0)).value(seldom) == pytest.approx([0.3 + 0.3 * ((0.3 + 1) * 0.3 + 0.8)])
    assert learned(Weights(wide=0.0)).value(seldom) == pytest.approx([0.3 + 0.3 * 0.3 * 0.3])
    rich = learned(Weights())
    for number in range(300):
        rich.follow(0.6, seldom[0], number)
    assert rich.dryness == 0.0
    assert rich.value(seldom) == pytest.approx([0.3 + 0.3 * 0.3 * 0.3])


def rows_of(recent: list[tuple[list[int], float]]) -> tuple[np.ndarray, np.ndarray]:
    """Members in rows of three, and values."""
    rows = [members + [0] * (3 - len(members)) for members, _ in recent]
    return np.array(rows, np.int32).reshape(-1, 3), np.array([value for _, value in recent])


@pytest.mark.parametrize("seed", range(20))
def test_totals_are_those_of_all_values(seed: int) -> None:
    chance = random.Random(seed)
    totals, size, old, recent = Totals(40), 40, [], []
    for _ in range(100):
        recent.append((chance.sample(range(size), 3), chance.randrange(8) / 4))
        totals.add(*rows_of(recent[-1:]))
        if chance.random() < 0.2:
            retired = chance.randrange(len(recent) + 1)
            totals.retire(*rows_of(recent[:retired]))
            old, recent = old + recent[:retired], [(members, chance.random()) for members, _ in recent[retired:]]
            totals.rebuild(*rows_of(recent))
        if chance.random() < 0.1:
            number = chance.randrange(size)
            totals.clear(number)
            old, recent = ([([n for n in m if n != number], r) for m, r in part] for part in (old, recent))
        if chance.random() < 0.1:
            memory, totals = totals.remember(), Totals()
            totals.restore(memory)
        for number in range(1, size):
            values = [value for members, value in old + recent if number in members]
            assert totals.sums[number] == pytest.approx(sum(values))
            assert totals.counts[number] == len(values)
        assert (totals.sums[0], totals.counts[0]) == (0, 0)
