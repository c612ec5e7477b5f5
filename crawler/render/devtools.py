"""The engine's language, the Chrome DevTools Protocol, over its pipes: JSON messages, each with a zero byte behind it.

https://chromedevtools.github.io/devtools-protocol/
"""

import asyncio
import json
from collections.abc import Callable, Mapping
from typing import Any

from crawler.render.engine_process import EngineProcess

LARGEST = 50_000_000  # bytes of a message, ten times the largest page; chosen, not measured

Parameters = Mapping[str, Any]
Listener = Callable[[str, Parameters], None]  # the name of an event, and what comes with it


class EngineLost(Exception):
    """The engine has ended, or sent something that is not a message."""


class DevTools:
    """Calls to an engine, and its events. `connect` comes first."""

    def __init__(self, engine: EngineProcess) -> None:
        self._engine = engine
        self._number = 0
        self._calls: dict[int, asyncio.Future[Parameters]] = {}
        self._listeners: dict[str, Listener] = {}
        self._is_lost = False

    async def connect(self) -> None:
        """Take over the engine's pipes."""
        loop = asyncio.get_running_loop()
        self._answers = asyncio.StreamReader(LARGEST)
        protocol = asyncio.StreamReaderProtocol(self._answers)
        self._answers_end, _ = await loop.connect_read_pipe(lambda: protocol, self._engine.answers)
        self._questions, _ = await loop.connect_write_pipe(asyncio.BaseProtocol, self._engine.questions)
        self._listening = asyncio.create_task(self._listen())

    async def call(self, method: str, session: str = "", **parameters: Any) -> Parameters:
        """Call a method; returns its result, empty where the engine refuses it. Raises EngineLost."""
        answer: asyncio.Future[Parameters] = asyncio.get_running_loop().create_future()
        self._calls[self.send(method, session, **parameters)] = answer
        return await answer

    def send(self, method: str, session: str = "", **parameters: Any) -> int:
        """Call a method whose result nobody waits for; returns the number of the call. Raises EngineLost."""
        if self._is_lost or self._questions.is_closing():
            raise EngineLost
        self._number += 1
        told = {"id": self._number, "method": method, "params": parameters} | (
            {"sessionId": session} if session else {}
        )
        self._questions.write(json.dumps(told).encode() + b"\0")
        return self._number

    def listen(self, session: str, listener: Listener | None) -> None:
        """Pass the events of a session to this listener from now on; to none if there is none."""
        self._listeners.pop(session, None)
        if listener is not None:
            self._listeners[session] = listener

    async def close(self) -> None:
        """End the connection."""
        self._listening.cancel()
        await asyncio.gather(self._listening, return_exceptions=True)
        if not self._questions.is_closing():
            self._questions.abort()
        self._answers_end.close()

    async def _listen(self) -> None:
        try:
            while True:
                said = json.loads((await self._answers.readuntil(b"\0"))[:-1])
                if "id" in said:
                    call = self._calls.pop(said["id"], None)
                    if call is not None and not call.done():
                        call.set_result(said.get("result", {}))
                elif listener := self._listeners.get(said.get("sessionId", "")):
                    listener(said["method"], said["params"])
        except (asyncio.IncompleteReadError, asyncio.LimitOverrunError, OSError, ValueError):
            pass
        finally:
            self._is_lost = True
            for call in self._calls.values():
                if not call.done():
                    call.set_exception(EngineLost())
