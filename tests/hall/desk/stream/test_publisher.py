"""The stream's own promises: the desk's time is fresh for whoever comes, and nothing is sent twice in 250 ms."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from hall.desk.publisher import COALESCE_S, Publisher

NS = 1_000_000_000


class Trial:
    """A desk whose changes the test makes, and whose time it moves."""

    def __init__(self) -> None:
        self.now = 100 * NS
        self.waiting: list[dict[str, Any]] = []
        self.publisher = Publisher(self._changes, lambda: {"cards": []}, lambda: self.now)

    def _changes(self, now: int) -> tuple[dict[str, Any], int]:
        content = {"cards": self.waiting} if self.waiting else {}
        self.waiting = []
        return content, now + 3600 * NS


def fields(event: bytes) -> tuple[str, dict[str, Any]]:
    found = dict(line.split(": ", 1) for line in event.decode().strip().splitlines())
    return found.get("event", ""), json.loads(found.get("data", "{}"))


def test_a_snapshot_that_was_made_for_another_browser_brings_no_old_time() -> None:
    async def run() -> None:
        trial = Trial()
        for later_s in (0, 8):
            trial.now += later_s * NS
            stream = trial.publisher.events("")
            assert fields(await anext(stream))[0] == ""
            name, content = fields(await anext(stream))
            assert (name, content["now"]) == ("now", trial.now // 1000)
            name, content = fields(await anext(stream))
            assert name == "snapshot"
            assert "now" not in content
            await stream.aclose()  # type: ignore[attr-defined]

    asyncio.run(run())


def test_what_comes_within_250_ms_is_one_event() -> None:
    async def run() -> None:
        trial = Trial()
        running = asyncio.create_task(trial.publisher.run())
        await asyncio.sleep(0)
        for number in range(20):
            trial.waiting.append({"id": str(number)})
            trial.publisher.wake()
            await asyncio.sleep(COALESCE_S / 50)
        await asyncio.sleep(2 * COALESCE_S)
        running.cancel()
        events = trial.publisher.ring.after(0)
        assert events is not None
        # The first one at once; the rest together, in two if the machine is slow.
        assert 1 <= len(events) <= 3
        assert [card["id"] for event in events for card in fields(event)[1]["cards"]] == [str(number) for number in range(20)]

    asyncio.run(run())


def test_a_stream_that_begins_again_brings_a_snapshot_of_another_run() -> None:
    async def run() -> None:
        trial = Trial()
        stream = trial.publisher.events("")
        first = [fields(await anext(stream)) for _ in range(3)]
        trial.publisher.begin_again()
        again = [fields(await anext(stream)) for _ in range(2)]
        assert [name for name, _ in again] == ["now", "snapshot"]
        assert again[0][1]["run"] == trial.publisher.ring.run != first[1][1]["run"]
        # A browser that comes back with an id of before gets the same.
        other = trial.publisher.events(f"{first[1][1]['run']}-0")
        assert [fields(await anext(other))[0] for _ in range(3)] == ["", "now", "snapshot"]
        for each in (stream, other):
            await each.aclose()  # type: ignore[attr-defined]

    asyncio.run(run())
