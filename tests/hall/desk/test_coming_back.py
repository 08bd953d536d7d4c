"""The real desk beside real clocks: pages, the stream, a reconnection, a kill, an end in order."""

from __future__ import annotations

import http.client
import json
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.hall.desk.playing import PlayingHall, RunningDesk, playing_hall, running_desk
from tests.installed import require
from tests.processes import PATIENCE_S

pytestmark = pytest.mark.waits(10)


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PlayingHall]:
    require("mosquitto")
    with playing_hall(tmp_path_factory.mktemp("played"), 6, press_s=1.0, seconds=3600) as playing:
        yield playing


class Reader:
    """A browser's side of the stream."""

    def __init__(self, desk: RunningDesk, last: str = "") -> None:
        host, port = desk.address.removeprefix("http://").split(":")
        self._connection = http.client.HTTPConnection(host, int(port), timeout=PATIENCE_S)
        self._connection.request("GET", "/stream", headers={"Last-Event-ID": last} if last else {})
        self._answer = self._connection.getresponse()
        assert self._answer.headers["Content-Type"].startswith("text/event-stream")

    def event(self) -> tuple[str, str, dict[str, Any]]:
        """Return the next event: name, id, content."""
        fields: dict[str, str] = {}
        while True:
            line = self._answer.readline().decode()
            assert line, "the stream has ended"
            if line == "\n" and "data" in fields:
                return fields["event"], fields.get("id", ""), json.loads(fields["data"])
            name, _, value = line.rstrip("\n").partition(": ")
            fields[name] = value

    def delta(self) -> tuple[str, dict[str, Any]]:
        """Return the next event with cards."""
        while True:
            name, number, content = self.event()
            if name == "delta" and "cards" in content:
                return number, content

    def close(self) -> None:
        self._answer.close()
        self._connection.close()


def test_a_browser_that_comes_back_misses_nothing(hall: PlayingHall, tmp_path: Path) -> None:
    with running_desk(hall, tmp_path / "hall.db") as desk:
        first = Reader(desk)
        assert [first.event()[0] for _ in range(2)] == ["now", "snapshot"]
        steady, left = first.delta()
        seen = [first.delta() for _ in range(4)]
        first.close()
        again = Reader(desk, steady)
        assert [again.delta() for _ in range(4)] == seen
        stranger = Reader(desk, "ffff-3")
        assert [stranger.event()[0] for _ in range(2)] == ["now", "snapshot"]
        assert left["now"] < seen[-1][1]["now"]


def test_a_desk_that_was_killed_comes_back_with_every_table_and_its_game(hall: PlayingHall, tmp_path: Path) -> None:
    store = tmp_path / "hall.db"
    with running_desk(hall, store) as desk:
        shown = _played(desk, rows=3)
        desk.process.send_signal(signal.SIGKILL)
        desk.process.wait()
    with running_desk(hall, store) as desk:
        again = _played(desk, rows=3)
    assert again.keys() == shown.keys()
    assert all(again[name] >= shown[name] for name in shown)


def test_an_end_in_order_ends_open_streams_too(hall: PlayingHall, tmp_path: Path) -> None:
    with running_desk(hall, tmp_path / "hall.db") as desk:
        readers = [Reader(desk) for _ in range(8)]
        desk.process.send_signal(signal.SIGTERM)
        assert desk.process.wait(PATIENCE_S) == 0
        for reader in readers:
            reader.close()


def _played(desk: RunningDesk, rows: int) -> dict[str, int]:
    """Return the rows of each of the six clocks, once each has so many."""
    reader = Reader(desk)
    found: dict[str, int] = {}
    while len(found) < 6 or min(found.values()) < rows:
        _, _, content = reader.event()
        found |= {card["id"]: card["rows"] for card in content.get("cards", ())}
    reader.close()
    return found
