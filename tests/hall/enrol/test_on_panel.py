"""While a device asks to be taken in, its own screen shows the digits between two games: real programs, from the local socket to the face."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from appliance.clocks import Clocks
from firmware.screens.screen import Quit
from firmware.settings.places import merge
from firmware.shell.assemble import assembled
from hall.enrol.device import DevicePlaces, is_enrolled
from hardware.boards.board import load_board
from hardware.pins.mock import MockBoard
from tests.hall.enrol.admitting import TILEHALL, Admitting, admitting, device, make_hall
from tests.hall.enrol.test_by_digits import shown
from tests.hall.joined import PlayedClock
from tests.kiosk.shell.rig import rig
from tests.processes import running, until


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Admitting]:
    with admitting(make_hall(tmp_path / "hall"), tmp_path) as found:
        yield found


@contextmanager
def _played(places: DevicePlaces) -> Iterator[PlayedClock]:
    """Play the clock of a device that no hall has taken in yet."""
    journal, board = places.socket.parent / "journal.db", MockBoard(load_board("full"))
    chosen = {
        "journal.path": str(journal), "board.pins": "mock", "screen.kind": "none", "hall.enabled": True, "hall.socket": str(places.socket),
        "hall.key": str(places.key), "hall.trust": str(places.trust),
    }  # fmt: skip
    with assembled(merge([("test", chosen)]).settings, Clocks(), board.factory) as loop:
        loop.begin()
        thread = threading.Thread(target=loop.run)
        thread.start()
        try:
            yield PlayedClock("", journal, loop, board)
        finally:
            loop.inbox.put(Quit())
            thread.join()


def test_a_clock_shows_the_digits_between_games_until_it_is_admitted(hall: Admitting, tmp_path: Path) -> None:
    places = device(tmp_path / "device")
    with _played(places) as clock, running(TILEHALL, *hall.asking(places)) as asking:
        digits = shown(asking)
        until(lambda: clock.face.called == f"HALL club: ADMIT {digits}", "the digits")
        assert clock.face.code
        clock.press("right")
        clock.until("running")
        # A game has the face for itself.
        assert (clock.face.called, clock.face.code) == ("", ())
        clock.press("centre")
        assert hall.director(digits).returncode == 0
        asking.wait()
        until(lambda: clock.loop._clock.hall is not None and clock.loop._clock.hall.joins is None, "the end of the digits")
        assert is_enrolled(places, hall.pin)


def test_a_clock_that_is_asked_for_no_longer_shows_no_digits(hall: Admitting, tmp_path: Path) -> None:
    places = device(tmp_path / "device")
    with _played(places) as clock:
        with running(TILEHALL, *hall.asking(places)) as asking:
            digits = shown(asking)
            until(lambda: digits in clock.face.called, "the digits")
            asking.kill()
        until(lambda: clock.face.called == "", "the end of the digits")


def test_a_station_shows_the_digits_on_its_idle_page(hall: Admitting, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    places = device(tmp_path / "d", "tilekiosk")
    of_hall: dict[str, Any] = {"enabled": True, "socket": str(places.socket), "key": str(places.key), "trust": str(places.trust)}
    with rig(tmp_path / "d", name="A", **{f"hall__{name}": value for name, value in of_hall.items()}) as station:
        program = station.loop._hall
        assert program is not None
        program.begin()
        with running(TILEHALL, *hall.asking(places)) as asking:
            digits = shown(asking)
            station.until(lambda: f"Hall club: admit {digits}" in station.said)
            assert hall.director(digits).returncode == 0
            asking.wait()
            station.until(lambda: digits not in station.said)
        program.close()
