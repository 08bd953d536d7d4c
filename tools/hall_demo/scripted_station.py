"""The station of the scripted round: the whole program on an invisible window, touched by commands."""

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from appliance.clocks import Clocks
from appliance.settings import OPTIONS
from kiosk.settings import merge
from kiosk.shell.assemble import assembled
from tools.hall_demo.acting import PATIENCE_S, TURN_S, Actor, ScriptedPress
from tools.hall_demo.programs import HallDemoError, station_settings
from tools.trial_broker import HallMember
from tools.windows import STATION

_READ_S: Final = 0.8
"""Longer than the half second in which no touch of a new page counts."""


class ScriptedStation(Actor):
    """A station that is touched by commands."""

    def __init__(self, member: HallMember) -> None:
        super().__init__()
        os.environ["SDL_VIDEODRIVER"] = "dummy"
        from kiosk.screens.window import KioskWindow  # noqa: PLC0415 - reads SDL_VIDEODRIVER when it is opened
        from tools.station_demo.fingers import DemoFinger  # noqa: PLC0415 - pygame

        clocks = Clocks()
        self._window = KioskWindow(STATION, "Tilekiosk", clocks=clocks)
        self._finger = DemoFinger(self._window)
        layered = merge([(OPTIONS, station_settings(member, ""))])
        self._loop = self.owns(assembled(layered, clocks, screen=self._window))
        self._loop.turn()
        self._loop.begin_hall()

    def turn(self) -> None:
        """Process what has come."""
        self._loop.turn()

    def press(self, press: ScriptedPress) -> None:
        """Touch a target once it can be read."""
        self._pass(lambda: self._has(press.button), press.button)
        readable = time.monotonic() + _READ_S
        self._pass(lambda: time.monotonic() >= readable, press.button)
        self._finger.tap(press.button)
        self._loop.turn()

    def picture(self, path: Path) -> None:
        """Write the picture of now."""
        self._window.snapshot(path)

    def line(self) -> str:
        """Return what the page says."""
        page = self._loop.page
        parts = () if page is None else (page.title, page.banner.text if page.banner else None, *page.lines, page.aside, page.notice)
        hall = "hall" if self._loop.station.flow.linked else "hall not reached"
        return " · ".join(part for part in (*parts, hall) if part)

    def _has(self, target: str) -> bool:
        arranged = self._window.arranged
        return arranged is not None and any(item.target is not None and item.target.id == target for item in arranged.items)

    def _pass(self, condition: Callable[[], bool], what: str) -> None:
        limit = time.monotonic() + PATIENCE_S
        while not condition():
            if time.monotonic() > limit:
                raise HallDemoError(where="the station", expected=f"the target {what}", found=self.line())
            self._loop.turn()
            time.sleep(TURN_S)
