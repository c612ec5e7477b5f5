"""The process in which pages are read and analysed: what runs in it, and how it is asked.

It takes one pickle after another on its standard input, the analyst first, answers in the same order, and ends with
that input: also when the crawl is killed. It imports what reading needs and no more: scipy and asyncio would be half of
the time in which it starts.
"""

import pickle
import signal
import struct
import sys
from dataclasses import replace
from typing import BinaryIO

from crawler.sandbox.size_limits import bounded
from ontology.child_process import address_space, limit_memory, own_output
from ontology.errors import PageError
from semantic.analyst import Analyst
from semantic.frame import Frame
from semantic.page import Plain, plain
from semantic.parsing.page_reader import read_page

MEMORY_MB = 95  # of address space, to read one page: 5 MB of links or of a table's cells take 84
ANALYST_MB = 105  # more, to analyse it: 5 MB of the topic's words take 130, what is remembered of links 50
SIZE = struct.Struct(">I")  # stands before each pickle: its length in bytes

Packed = tuple[Frame | None, Plain | None] | PageError  # a frame without its page, and the page as tuples
Question = tuple[bytes, str, dict[str, str]]  # body, address, headers


def main() -> None:
    """Read pages until the input ends."""
    answers = own_output()
    analyst: Analyst | None = pickle.loads(_question(sys.stdin.buffer))
    if analyst is not None:
        analyst.matcher.load()
    ready = _answer(pickle.dumps((b"<p>", "http://ready.example/", {})), analyst)  # all that it needs is loaded
    _give(answers, ready or PageError("reading has no memory"))
    limit = MEMORY_MB if analyst is None else MEMORY_MB + ANALYST_MB
    limit_memory(address_space() + limit)
    while question := _question(sys.stdin.buffer):
        signal.setitimer(signal.ITIMER_PROF, float(sys.argv[1]))  # at its end SIGPROF ends the process
        answer = _answer(question, analyst) or PageError(
            f"reading needs more than {limit} MB of memory and was stopped"
        )
        signal.setitimer(signal.ITIMER_PROF, 0)
        _give(answers, answer)


def _give(answers: BinaryIO, answer: Packed) -> None:
    packed = pickle.dumps(answer, pickle.HIGHEST_PROTOCOL)
    answers.write(SIZE.pack(len(packed)) + packed)
    answers.flush()


def _question(stream: BinaryIO) -> bytes:
    head = stream.read(SIZE.size)
    return stream.read(SIZE.unpack(head)[0]) if len(head) == SIZE.size else b""


def _answer(question: bytes, analyst: Analyst | None) -> Packed | None:
    """None where there is not enough memory."""
    try:
        page = bounded(read_page(*pickle.loads(question)))
        if analyst is None:
            return None, plain(page)
        frame = analyst.frame(page)
        return (frame, None) if frame.page is None else (replace(frame, page=None), plain(frame.page))
    except PageError as error:
        return error
    except MemoryError:
        return None
