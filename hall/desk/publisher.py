"""Publishes what changes: at most one event in 250 ms for all browsers together, made once, and sent to each."""

import asyncio
import json
import secrets
import time
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from typing import Any, Final

from appliance.texts import sent
from hall.desk.tiles.table import NeedKind, TableTile
from rules.duration import NS

KEPT: Final = 40
"""Events: at four a second, the last 10 s. A browser that is slower gets everything anew, as one that comes back does."""


def event(name: str, content: dict[str, Any]) -> bytes:
    return f"event: {name}\ndata: {json.dumps(content, separators=(',', ':'))}\n\n".encode()


def tile_json(tile: TableTile) -> dict[str, Any]:
    """Return a tile for the browser. Durations in ns, instants in µs of the listener: a browser's numbers are exact up to 2^53."""
    return {
        "id": tile.id,
        "table": tile.table,
        "name": tile.name,
        "division": tile.division,
        "sides": None
        if tile.sides is None
        else {side.value: {"name": each.name, "left": each.remaining, "penalty": each.penalty} for side, each in tile.sides.items()},
        "at": us(tile.at),
        "runs": None if tile.running is None else tile.running.value,
        "about": tile.about,
        "phase": tile.phase,
        "doing": sent(tile.state),
        "since": us(tile.since),
        "needs": [
            {"kind": NeedKind(need.kind).name.lower(), "rank": int(need.kind), "since": us(need.since), "words": sent(need.words)}
            for need in tile.needs
        ],
        "stale": us(tile.stale),
        "up": tile.up,
        "game": tile.game,
        "rows": tile.rows,
    }


def us(at: int | None) -> int | None:
    """Return an instant (ns) for the browser."""
    return None if at is None else at // 1000


COALESCE_S: Final = 0.25
KEEP_ALIVE_S: Final = 10.0
"""A comment goes out after so long without an event: a browser that is gone is noticed."""


class Publisher:
    """The one stream of a desk. Used in the event loop, but for ``wake`` and ``close``.

    Args:
        changes: returns what has changed since the last call, as the keys of an event, and when to ask again at the latest (ns); no keys: nothing.
        snapshot: returns everything, as the keys of an event.
        now: CLOCK_MONOTONIC in ns.
    """

    def __init__(
        self,
        changes: Callable[[int], tuple[dict[str, Any], int]],
        snapshot: Callable[[], dict[str, Any]],
        now: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        self._changes, self._snapshot, self._now = changes, snapshot, now
        self.run_id = secrets.token_hex(4)
        """Names this run of the desk: instants of another one mean nothing to a browser."""
        self._events: deque[bytes] = deque(maxlen=KEPT)
        self._count = 0
        self._loop: asyncio.AbstractEventLoop | None = None
        self._woken = asyncio.Event()
        self._next = asyncio.Event()
        self._whole: tuple[int, bytes] | None = None
        self._closed = False
        self.closes_too: list[Publisher] = []

    def wake(self) -> None:
        if not self._woken.is_set():
            self._call(self._woken.set)

    def close(self) -> None:
        for each in self.closes_too:
            each.close()
        self._call(self._close)

    def _call(self, act: Callable[[], None]) -> None:
        # At an end in order the server's loop may be closed already, and all its streams with it.
        if self._loop is not None:
            with suppress(RuntimeError):
                self._loop.call_soon_threadsafe(act)

    def begin_again(self) -> None:
        """Forget all events: every browser gets a snapshot next, as of another desk."""
        self.run_id, self._whole = secrets.token_hex(4), None
        self._events.clear()
        self._count += 1
        self._release()

    async def run(self) -> None:
        self._loop = asyncio.get_running_loop()
        while True:
            content, due = self._changes(self._now())
            if content:
                self._publish(content)
                await asyncio.sleep(COALESCE_S)
            await self._wait(due)

    async def events(self) -> AsyncIterator[bytes]:
        known: int | None = None
        yield b"retry: 1000\n\n"
        while not self._closed:
            missed = None if known is None else self._after(known)
            upcoming, known = self._next, self._count
            if missed is None:
                # The snapshot may be some seconds old: it is made once for many browsers.
                yield event("now", {"now": us(self._now()), "run": self.run_id})
                missed = [self._everything()]
            for each in missed:
                yield each
            while not upcoming.is_set():
                try:
                    await asyncio.wait_for(upcoming.wait(), KEEP_ALIVE_S)
                except TimeoutError:
                    # Its instant also corrects what the browser knows of the desk's clock.
                    yield event("now", {"now": us(self._now())})

    async def _wait(self, due: int) -> None:
        # The loop's own timer, so that a wake in between is not lost.
        with suppress(TimeoutError):
            await asyncio.wait_for(self._woken.wait(), max(0.0, (due - self._now()) / NS))
        self._woken.clear()

    def _publish(self, content: dict[str, Any]) -> None:
        self._count += 1
        self._events.append(event("delta", {"now": us(self._now()), **content}))
        self._release()

    def _everything(self) -> bytes:
        # Made once for all browsers that begin between two events.
        if self._whole is None or self._whole[0] != self._count:
            self._whole = self._count, event("snapshot", {"run": self.run_id, **self._snapshot()})
        return self._whole[1]

    def _after(self, number: int) -> list[bytes] | None:
        """Return the events after ``number``; None: some of them are gone."""
        missed = self._count - number
        return None if missed > len(self._events) else list(self._events)[len(self._events) - missed :]

    def _close(self) -> None:
        self._closed = True
        self._release()

    def _release(self) -> None:
        self._next.set()
        self._next = asyncio.Event()
