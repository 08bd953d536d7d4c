"""A TCP proxy before the broker: delays each piece of data at random, in order, and can cut all connections for a while."""

import asyncio
import contextlib
import random
from typing import Any, Final

from msgspec import Struct

from appliance.process import raise_file_limit
from tools.simulate.worker import EndProcess

_CHUNK: Final = 65_536
_LOOK_S: Final = 0.05


class ProxyPlan(Struct, frozen=True):
    """Where it forwards to, and the delay of each way in seconds, least and most."""

    host: str
    port: int
    delay_s: tuple[float, float]


class ProxyReady(Struct, frozen=True):
    """From the proxy: its port on the loopback."""

    port: int


class Cut(Struct, frozen=True):
    """To the proxy: close all connections now and accept none for so many seconds."""

    seconds: float


def forward(plan: ProxyPlan, pipe: Any) -> None:
    """Forward until ``EndProcess`` comes."""
    raise_file_limit()
    asyncio.run(_Proxy(plan, pipe).run())


class _Proxy:
    def __init__(self, plan: ProxyPlan, pipe: Any) -> None:
        self._plan, self._pipe = plan, pipe
        self._open: set[asyncio.StreamWriter] = set()
        self._cut_until = 0.0

    async def run(self) -> None:
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0, backlog=2048)
        async with server:
            self._pipe.send(ProxyReady(server.sockets[0].getsockname()[1]))
            while not isinstance(message := await self._received(), EndProcess):
                if isinstance(message, Cut):
                    self._cut_until = asyncio.get_running_loop().time() + message.seconds
                    for writer in tuple(self._open):
                        writer.transport.abort()
            await self._close_all()

    async def _close_all(self) -> None:
        """Close all connections and wait for their tasks: asyncio prints a traceback of each that it has to cancel."""
        while self._open:
            for writer in tuple(self._open):
                writer.transport.abort()
            await asyncio.sleep(_LOOK_S)

    async def _received(self) -> object:
        stopped, loop = asyncio.Event(), asyncio.get_running_loop()
        loop.add_reader(self._pipe.fileno(), stopped.set)
        await stopped.wait()
        loop.remove_reader(self._pipe.fileno())
        return self._pipe.recv()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if asyncio.get_running_loop().time() < self._cut_until:
            writer.transport.abort()
            return
        try:
            there, back = await asyncio.open_connection(self._plan.host, self._plan.port)
        except OSError:
            writer.transport.abort()
            return
        self._open |= {writer, back}
        try:
            await asyncio.gather(self._pass(reader, back), self._pass(there, writer))
        finally:
            for each in (writer, back):
                self._open.discard(each)
                each.transport.abort()

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Pass data on, each piece after its own delay but never before the piece ahead of it."""
        loop = asyncio.get_running_loop()
        pieces: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()
        sending = asyncio.create_task(_send(pieces, writer))
        with contextlib.suppress(OSError):
            while data := await reader.read(_CHUNK):
                # Not for secrets.
                pieces.put_nowait((loop.time() + random.uniform(*self._plan.delay_s), data))  # noqa: S311
        pieces.put_nowait((loop.time(), b""))
        await sending


async def _send(pieces: asyncio.Queue[tuple[float, bytes]], writer: asyncio.StreamWriter) -> None:
    loop = asyncio.get_running_loop()
    with contextlib.suppress(OSError):
        while True:
            due, data = await pieces.get()
            await asyncio.sleep(max(0.0, due - loop.time()))
            if not data:
                writer.transport.abort()
                return
            writer.write(data)
            await writer.drain()
