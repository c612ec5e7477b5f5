"""The real sentence encoder, beside the reading process's limit of memory: `make test-extras`."""

import subprocess
import sys

import numpy as np
import pytest

from semantic.languages.sentence_encoder import find_encoder

TEXTS = ("green tea", "绿茶", "a table of file systems")


def test_texts_that_mean_the_same_are_close():
    encoder = find_encoder()
    vectors = encoder.encode(TEXTS)
    assert vectors.shape[0] == 3 and np.linalg.norm(vectors, axis=1) == pytest.approx(1, abs=1e-4)
    near, far = vectors[0] @ vectors[1], vectors[0] @ vectors[2]
    assert near > 0.6 > far
    assert {"zh", "en"} <= encoder.languages


def test_loading_leaves_a_page_as_much_memory_as_before():
    code = """
from ontology.child_process import address_space, limit_memory
import numpy, resource
limit_memory(address_space() + 50)
from semantic.languages.sentence_encoder import find_encoder
find_encoder().encode(["茶"])
print((resource.getrlimit(resource.RLIMIT_AS)[0] >> 20) - address_space())
"""
    left = int(subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout)
    assert 40 <= left <= 60
