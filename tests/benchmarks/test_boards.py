"""200 boards and overlays open at once on one desk: every event to every one of them, how late, and what the desk needs for it."""

from __future__ import annotations

import asyncio
import random
import re
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser

from tests.benchmarks.figures import Figures, percentile
from tests.hall.desk.trial_hall import TrialHall, served
from tests.hall.desk.web.browsing import chromium
from tests.processes import until

TABLES, STREAMS, OVERLAYS = 200, 190, 9
"""One browser's board and overlays make it 200; they share one stream."""
_PLAY_S = 20.0
_PRESS_S = 20.0
_EVENT = re.compile(rb'event: delta\nid: [0-9a-f]+-(\d+)\ndata: \{"now":(\d+)')


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as running:
        yield running


class _Streams:
    """Boards as plain connections, in a thread of their own. Each notes the number of each event, and how late it came (ns)."""

    def __init__(self, address: str) -> None:
        place = urlsplit(address)
        self._host, self._port = place.hostname or "", place.port or 0
        self.open = 0
        self.seen: list[list[tuple[int, int]]] = [[] for _ in range(STREAMS)]

    async def run(self) -> None:
        await asyncio.gather(*(self._read(each) for each in self.seen))

    async def _read(self, seen: list[tuple[int, int]]) -> None:
        reader, writer = await asyncio.open_connection(self._host, self._port, limit=1 << 22)
        writer.write(f"GET /public/stream HTTP/1.1\r\nHost: {self._host}:{self._port}\r\nAccept: text/event-stream\r\n\r\n".encode())
        while True:
            text = await reader.readuntil(b"\n\n")
            at = time.monotonic_ns()
            self.open += b"event: snapshot" in text
            if (found := _EVENT.search(text)) is not None:
                seen.append((int(found[1]), at - int(found[2]) * 1000))


@contextmanager
def _streams(address: str) -> Iterator[_Streams]:
    streams, loop = _Streams(address), asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    running: Future[None] = asyncio.run_coroutine_threadsafe(streams.run(), loop)
    try:
        until(lambda: streams.open == STREAMS)
        yield streams
    finally:
        running.cancel()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()


def test_two_hundred_boards_and_overlays(browser: Browser, tmp_path: Path, figures: Figures) -> None:
    hall = TrialHall(tmp_path, TABLES)
    for table in hall.clocks:
        hall.begin(table, ago_s=random.uniform(1, 400))  # noqa: S311 - players
    with served(hall) as address, _streams(address) as streams, browser.new_context() as context:
        pages = [context.new_page() for _ in range(OVERLAYS + 1)]
        for page, path in zip(pages, ("board", *(f"overlay/{table}" for table in range(1, OVERLAYS + 1))), strict=True):
            page.goto(f"{address}/{path}")
        until(lambda: pages[0].locator("#board .public").count() == TABLES)
        began, used = time.monotonic(), time.process_time()
        _play(hall)
        used, lasted = time.process_time() - used, time.monotonic() - began
        # The last press of each overlay's table stands on it.
        for table in range(1, OVERLAYS + 1):
            hall.press(table)
            side = hall.clocks[table].record
            assert side is not None
            pages[table].locator(f'.counts[data-side="{side.game.running}"]').wait_for()
        last = max(number for number, _ in streams.seen[0])
        until(lambda: all(seen and seen[-1][0] >= last for seen in streams.seen))
    delays = [late for seen in streams.seen for _, late in seen]
    gaps = sum(two[0] != one[0] + 1 for seen in streams.seen for one, two in pairwise(seen))
    figures.add(
        f"{STREAMS + OVERLAYS + 1} boards and overlays of {TABLES} tables: from the event to each of them",
        f"p50 {percentile(delays, 50) / 1e6:.0f} ms, p99 {percentile(delays, 99) / 1e6:.0f} ms, {len(delays)} events",
    )
    figures.add("events that one of them missed", str(gaps), "0", held=gaps == 0)
    figures.add("processor time: the desk, with the clocks and these streams' other ends", f"{used / lasted * 100:.0f} % of a core")
    assert gaps == 0
    assert len({seen[-1][0] for seen in streams.seen}) <= 2


def _play(hall: TrialHall) -> None:
    hall.beat_all()
    end = time.monotonic() + _PLAY_S
    while time.monotonic() < end:
        hall.press(random.randint(1, TABLES))  # noqa: S311 - players
        time.sleep(_PRESS_S / TABLES)
