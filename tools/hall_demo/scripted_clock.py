"""A table clock of the scripted round: its own core, shell, journal and drawing; only buttons and panel are missing."""

import os
import time
from collections import deque
from contextlib import closing
from functools import partial
from pathlib import Path

from appliance.clocks import Clocks
from firmware.gestures.clock_state import ClockState
from firmware.hall.orders import HallState
from firmware.journal.receipt import ReceiptCode, read_receipt
from firmware.journal.writer import HeadSigned, JournalRecorder, JournalWriter, open_journal
from firmware.settings import LAYERS, merge
from firmware.shell.assemble import setup_of
from firmware.shell.clock import TableClock
from firmware.shell.hall import ClockDevice, HallInput
from firmware.shell.hall_messages import HallMessages
from firmware.shell.notices import Notices
from game.events import NewGame
from game.history import begin
from rules.rulebooks import DEFAULT_RULEBOOK, load_rulebook
from rules.side import BySide
from tools.hall_demo.acting import TAP_NS, Actor, ScriptedPress
from tools.hall_demo.programs import clock_settings
from tools.trial_broker import HallMember
from tools.windows import SMALL


class ScriptedClock(Actor):
    """A clock that is pressed by commands."""

    def __init__(self, member: HallMember, table: int) -> None:
        super().__init__()
        os.environ["SDL_VIDEODRIVER"] = "dummy"
        from firmware.screens.layout import Arrangement  # noqa: PLC0415 - likewise
        from firmware.screens.window import WindowScreen  # noqa: PLC0415 - reads SDL_VIDEODRIVER when it is opened

        settings, clocks = merge([LAYERS.given(clock_settings(member, table) | {"director.results": "clock"})]).settings, Clocks()
        setup, journal, now = setup_of(settings), Path(settings.journal.path), clocks.now()
        self._news: deque[HallInput | HeadSigned | ReceiptCode] = deque()
        desk = self.owns(closing(ClockDevice(settings.hall, journal, clocks, self._news.append)))
        open_journal(journal)
        writer = self.owns(closing(JournalWriter(journal, lambda _: None, on_rows=desk.committed)))
        desk.watch(writer)
        event = NewGame(load_rulebook(DEFAULT_RULEBOOK), DEFAULT_RULEBOOK, BySide(None, None))
        receipts = partial(read_receipt, journal, self._news.append)
        recorder = JournalRecorder(writer, clocks, 0, None)
        self._clock = TableClock(ClockState(begin(event, now), setup), recorder, Notices(), now, receipts=receipts)
        self._hall = HallMessages(self._clock, desk, HallState(desk.place))
        self._screen = self.owns(closing(WindowScreen(SMALL, Arrangement.FACING, "Tileclock")))
        self._hall.begin()

    def turn(self) -> None:
        """Take what has come from the hall, and let time pass."""
        now = time.monotonic_ns()
        while self._news:
            item = self._news.popleft()
            if isinstance(item, HeadSigned):
                self._clock.signed(now, item)
            elif isinstance(item, ReceiptCode):
                self._clock.receipt(item)
            else:
                self._hall.receive(item, now)
        self._clock.tick(now)
        self._hall.show(now)

    def press(self, press: ScriptedPress) -> None:
        """Hold a button for as long as the press lasts, and leave it: what follows at once would be one press that bounces."""
        for down, lasts_ns in ((True, press.held_ns), (False, TAP_NS)):
            began = time.monotonic_ns()
            self._clock.edge(press.button, began, down=down)
            while time.monotonic_ns() < began + lasts_ns:
                self.turn()
                time.sleep(0.02)

    def picture(self, path: Path) -> None:
        """Write the picture of now."""
        self._screen.draw(self._clock.face(time.monotonic_ns()))
        self._screen.snapshot(path)

    def line(self) -> str:
        """Return what the face says."""
        face = self._clock.face(time.monotonic_ns())
        halves = " · ".join(f"{side.value} {half.reading}{' runs' if half.runs else ''}" for side, half in face.halves.items())
        beside = " / ".join(", ".join(half.marks) or half.named for _, half in face.halves.items())
        return f"{face.phase.value:12}  {halves}  {beside}{' · receipt' if face.code else ''}  {face.rulebook.rpartition('·')[2].strip()}"
