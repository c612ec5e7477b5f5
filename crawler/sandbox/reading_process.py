"""The process in which pages are read and analysed: its main function and its messages.

It reads pickles from standard input, the analyst first, and answers them in order. It ends when its input ends, so also
when the crawl is killed. It imports only what reading needs: scipy and asyncio would double the time of its start.
"""

import gc
import pickle
import signal
import struct
import sys
from dataclasses import replace
from typing import BinaryIO

from ontology.child_process import address_space, limit_memory, own_output
from semantic.analyst import Analyst
from semantic.frame import Frame
from semantic.page import Plain, plain
from semantic.parsing.page_reader import bounded, read_page
from semantic.reasons import PageError, because

MEMORY_MB = 95  # MB of address space to read one page; measured: 5 MB of links, or of a table's cells, need 84
ANALYST_MB = 105  # MB more to analyse it; measured: 5 MB of the topic's words need 130, the cache of links 50
COLLECT_AFTER = 20_000  # new objects, about ten pages': with Python's own 700 every page is looked through ten times
SIZE = struct.Struct(">I")  # precedes each pickle: its length in bytes

Packed = tuple[Frame | None, Plain | None] | PageError  # a frame without its page; the page as tuples
Question = tuple[bytes, str, dict[str, str]]  # body, address, headers


def main() -> None:
    """Read pages until the input ends. `sys.argv[1]`: seconds of processor time for a page."""
    answers = own_output()
    packed = _question(sys.stdin.buffer)
    if not packed:
        return  # the crawl has ended before it had a page
    analyst: Analyst | None = pickle.loads(packed)
    if analyst is not None:
        analyst.matcher.load()
    first = pickle.dumps((b"<p>", "http://ready.example/", {}))
    ready = answer_of(first, analyst)  # so that all modules are loaded before memory is limited
    _give(answers, ready or PageError(because("the reading process has too little memory")))
    gc.freeze()  # the modules loaded so far are never garbage
    gc.set_threshold(COLLECT_AFTER)
    limit = MEMORY_MB if analyst is None else MEMORY_MB + ANALYST_MB
    limit_memory(address_space() + limit)
    while question := _question(sys.stdin.buffer):
        signal.setitimer(signal.ITIMER_PROF, float(sys.argv[1]))  # when it expires, SIGPROF ends the process
        answer = answer_of(question, analyst) or PageError(because("reading large", limit=limit))
        signal.setitimer(signal.ITIMER_PROF, 0)
        _give(answers, answer)


def _give(answers: BinaryIO, answer: Packed) -> None:
    packed = pickle.dumps(answer, pickle.HIGHEST_PROTOCOL)
    answers.write(SIZE.pack(len(packed)) + packed)
    answers.flush()


def _question(stream: BinaryIO) -> bytes:
    head = stream.read(SIZE.size)
    return stream.read(SIZE.unpack(head)[0]) if len(head) == SIZE.size else b""


def answer_of(question: bytes, analyst: Analyst | None) -> Packed | None:
    """Read and analyse one page; None if the memory does not suffice."""
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
