"""A live clock in a hall, on a mock board, in a thread of the test, with the link's end of its socket."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from appliance.clocks import Clocks
from appliance.supervisor import NO_SUPERVISOR, Supervisor
from firmware.screens.screen import Quit
from firmware.settings.desk_file import DeskFile
from firmware.settings.places import merge
from firmware.shell.assemble import assembled
from firmware.shell.loop import Loop
from hardware.boards.board import load_board
from hardware.pins.mock import MockBoard
from tests.processes import until
from tests.wire.local.served import greet
from wire.local.client import DeviceClient
from wire.reports import ClockReport

PRESS_NS = 80_000_000


@dataclass
class LiveClock:
    folder: Path
    loop: Loop
    board: MockBoard
    client: DeviceClient
    heard: list[dict[str, Any]] = field(default_factory=list)

    @property
    def journal(self) -> Path:
        return self.folder / "journal.db"

    def press(self, button: str, held: int = PRESS_NS) -> None:
        at = time.monotonic_ns()
        self.board.press(button, at, held)
        until(lambda: not self.loop._clock.table.button_state.contact(button).down, "the press")

    def value(self, name: str) -> Any:
        self.heard += self.client.read()
        return next((each["value"] for each in reversed(self.heard) if each["t"] == "set" and each["name"] == name), None)

    def state(self, phase: str, running: str | None) -> ClockReport:
        def stands() -> bool:
            state = self.value("state")
            return state is not None and (state["phase"], state["running"]) == (phase, running)

        until(stands, f"{phase} {running}")
        return ClockReport.model_validate(self.value("state"))


@contextmanager
def live(folder: Path, desk: DeskFile | None = None, supervisor: Supervisor = NO_SUPERVISOR, **settings: Any) -> Iterator[LiveClock]:
    board = MockBoard(load_board("full"))
    chosen = {
        "journal.path": str(folder / "journal.db"), "board.pins": "mock", "screen.kind": "none", "hall.enabled": True, "hall.table": 12,
        "hall.socket": str(folder / "hall.sock"), "hall.key": str(folder / "device.pem"), "hall.name": "Red case",
        **{key.replace("__", "."): value for key, value in settings.items()},
    }  # fmt: skip
    client = DeviceClient(folder / "hall.sock")
    with assembled(merge([("test", chosen)]).settings, Clocks(), board.factory, supervisor=supervisor, desk=desk) as loop:
        loop.begin()
        thread = threading.Thread(target=loop.run)
        thread.start()
        try:
            greet(client)
            yield LiveClock(folder, loop, board, client)
        finally:
            loop.inbox.put(Quit())
            thread.join()
            client.close()
