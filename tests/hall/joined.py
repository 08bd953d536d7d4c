"""A whole hall on this machine: real clocks and stations, each with its real link, and a real mosquitto with TLS between them."""

import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from appliance.clocks import Clocks
from firmware.face.value import Face
from firmware.screens.screen import Quit
from firmware.settings import merge
from firmware.shell.assemble import assembled
from firmware.shell.loop import Loop
from game.exact_json import decode
from game.game import Game
from hall.keys.files import COMMAND_LINE, LISTENER, HallFiles
from hardware.boards.board import load_board
from records.journal import Kind
from rules.contact import Contact
from tests.firmware.shell.rig import rows_in
from tests.hall.link.linked import link
from tests.kiosk.shell.rig import Rig, rig
from tests.processes import until
from tests.some import some
from tools.mock_board import MockBoard
from tools.trial_broker import Broker, HallMember, add_member, running_broker
from wire.topics import CLOCK, STATION

HALL = "club"
PASSPHRASE = "correct horse"  # noqa: S105 - of a hall that the tests make
PRESS_NS = 80_000_000
MENU_NS = 1_200_000_000
CALL_NS = 2_200_000_000
APART_NS = 300_000_000


@dataclass
class PlayedClock:
    """A clock in play. Its journal, its socket and its loop are the real ones; only the pins are a mock board's."""

    device: str
    journal: Path
    loop: Loop
    board: MockBoard

    def press(self, button: str, held: int = PRESS_NS) -> None:
        at = time.monotonic_ns()
        self.board.press(button, at, held)
        # The release lies ahead, and fingers that follow at once would be a chord.
        until(
            lambda: time.monotonic_ns() > at + held + APART_NS and not self.loop._clock.table.contacts.get(button, Contact()).down,
            "the press",
        )

    def show_menus(self) -> None:
        """Offer the table menu, as a clock with a screen does: pygame has one window a process."""
        self.loop._clock.set_up(time.monotonic_ns(), screen=True)

    @property
    def game(self) -> Game:
        return self.loop._clock.table.game_at(time.monotonic_ns())

    @property
    def face(self) -> Face:
        return self.loop._clock.face(time.monotonic_ns())

    def until(self, phase: str) -> None:
        until(lambda: self.game.phase.value == phase, f"{phase}, found {self.game.phase.value}")

    def bodies(self, kind: Kind) -> list[dict[str, Any]]:
        return [decode(kept.row.body) for kept in rows_in(self.journal) if kept.row.kind == kind]


@dataclass
class JoinedHall:
    folder: Path
    files: HallFiles
    broker: Broker
    members: dict[str, HallMember] = field(default_factory=dict)

    @contextmanager
    def clock(self, name: str, table: int, **settings: Any) -> Iterator[PlayedClock]:
        member = self._member(name, CLOCK)
        folder = member.folder
        chosen = {
            "rulebook": "naspa-2017-collins-5", "hall.table": table, **_of_hall(folder, name),
            **{each.replace("__", "."): value for each, value in settings.items()},
        }  # fmt: skip
        with played_clock(member.id, folder, **chosen) as clock, link(member.identity, self.broker, folder / "hall.sock"):
            yield clock

    @contextmanager
    def station(self, name: str, **settings: Any) -> Iterator[Rig]:
        """Run a station that is enrolled, with its link; its hands' time stands still while it waits for others."""
        member = self._member(name, STATION)
        folder = member.folder
        known = {each.replace(".", "__"): value for each, value in _of_hall(folder, name).items() if each != "hall.name"}
        with rig(folder, rulebook="naspa-2017-collins-5", name=name, **{**known, **settings}) as station:
            hall = some(station.loop._hall)
            hall.begin()
            with link(member.identity, self.broker, folder / "hall.sock"):
                station.until(lambda: station.loop.station.flow.linked)
                yield station

    def _member(self, name: str, kind: str) -> HallMember:
        if name not in self.members:
            self.members[name] = add_member(self.files, kind, self.folder / name)
            # A station's rights are an entry of its own in the access list.
            self.broker.configure(self.files)
            self.broker.reload()
        return self.members[name]


def _of_hall(folder: Path, name: str) -> dict[str, Any]:
    return {
        "hall.enabled": True, "hall.name": name, "hall.socket": str(folder / "hall.sock"), "hall.key": str(folder / "device.pem"),
        "hall.trust": str(folder / "hall.toml"),
    }  # fmt: skip


@contextmanager
def played_clock(device: str, folder: Path, **settings: Any) -> Iterator[PlayedClock]:
    board, journal = MockBoard(load_board("full")), folder / "journal.db"
    chosen = {"journal.path": str(journal), "board.pins": "mock", "screen.kind": "none", **settings}
    with assembled(merge([("test", chosen)]).settings, Clocks(), board.factory) as loop:
        loop.begin()
        thread = threading.Thread(target=loop.run)
        thread.start()
        try:
            yield PlayedClock(device, journal, loop, board)
        finally:
            loop.inbox.put(Quit())
            thread.join()


@contextmanager
def joined_hall(folder: Path, desks: int = 1) -> Iterator[JoinedHall]:
    files = HallFiles.make(folder / "hall", HALL, ("127.0.0.1", "localhost"), PASSPHRASE.encode())
    for name in ("desk-1", COMMAND_LINE, *(f"{each}-{number}" for number in range(2, desks + 1) for each in ("desk", LISTENER))):
        files.admit(name)
    with ExitStack() as stack:
        broker = stack.enter_context(running_broker(folder / "broker", files))
        yield JoinedHall(folder, files, broker)
