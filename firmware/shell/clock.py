"""The table clock: the one place that applies what is pressed and said, and has it kept.

Between the inputs (pins, keys) and the screen. It reads no clock itself: every call brings its instant, so a scripted game and a live one are the same code.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from appliance.errors import Diagnosis
from appliance.log import get_logger
from appliance.settings.layers import RejectedSettings
from firmware.face.schedule import next_change
from firmware.face.value import Face
from firmware.face.view import face
from firmware.gestures.clock_state import ClockState
from firmware.gestures.press_detection import due
from firmware.gestures.pressing import opened_menu
from firmware.gestures.stroke import STUCK_NS
from firmware.journal.row import Kind
from firmware.menu.switching import counts
from firmware.shell.displays import LedNews
from firmware.shell.late_edges import LateEdgeReplay
from firmware.shell.notices import Notices
from firmware.shell.recorder import JournalRecorder
from rules.contact import Contact
from rules.duration import format_seconds

TOO_WEAK: Final = "too weak"
"""What the journal keeps of a voltage that is too low."""


class TableClock:
    """A table that is played on. Instants in ns of CLOCK_MONOTONIC."""

    def __init__(self, table: ClockState, keeper: JournalRecorder, notices: Notices, now: int, stuck: Iterable[str] = ()) -> None:
        self.notices = notices
        self._keeper = keeper
        self._spikes = 0
        self._in_menu = False
        self._late_since: int | None = None
        stuck = frozenset(stuck)
        self._backlog = LateEdgeReplay(_met(table, stuck, now), now)
        self._stuck(stuck - {"key"}, now)
        self._keeper.keep(table, now)

    @property
    def table(self) -> ClockState:
        """The table as it stands."""
        return self._backlog.table

    def edge(self, button: str, at: int, *, down: bool) -> None:
        """Take in a contact edge at its instant, which may lie in the past."""
        self.tick(at)
        self._backlog.edge(button, at, down=down)
        if not down:
            self.notices.stuck.discard(button)
        self._keep(at)

    def tick(self, now: int) -> None:
        """Let time pass: gestures that ripen until ``now`` are kept one by one, as they come."""
        while (ripe := due(self.table)) is not None and ripe <= now:
            self._backlog.tick(ripe)
            self._keep(ripe)
        self._backlog.tick(now)
        self._stuck({button for button, since in self._held() if now >= since + STUCK_NS}, now)

    def face(self, now: int) -> Face:
        """Return what to show at ``now``."""
        return face(self.table, now, self.notices.said(self.table), self.notices.no_buttons)

    def mark(self, now: int) -> int | None:
        """Have time that counts made durable; return when to come again, which is at once where there is something to say of it."""
        again = self._keeper.mark(self.table, now, counting=self.counts(now))
        late, was = self._keeper.late, self._late_since
        if late == (was is not None):
            return again
        self.notices.late = late
        self._late_since = now if late else None
        if was is None:
            get_logger().warning("marks are late: should the power go now, more time would be missing than the clock can say")
        else:
            self.note(now, marks_late_s=format_seconds(now - was))
            get_logger().warning("marks come in time again", late_s=format_seconds(now - was))
        return now

    def asleep(self, now: int, wake: int | None) -> None:
        """Take in that the loop goes to sleep, until ``wake`` (ns) at the latest."""
        self._keeper.asleep(self.table, now, wake)

    def awake(self, now: int) -> None:
        """Take in that the loop has woken."""
        self._keeper.awake(self.table, now)

    def progress(self, trouble: Diagnosis | None) -> None:
        """Take in why nothing can be written, or that it can be again (None)."""
        self.notices.interrupted |= self.notices.not_recorded is not None and trouble is None
        self.notices.not_recorded = trouble

    def refused(self, now: int, refused: RejectedSettings) -> None:
        """Take in why the machine's files are not in force."""
        self.notices.settings = refused
        self._keeper.note(Kind.NOTE, self.table, now, {"settings": str(refused.why)})

    def no_buttons(self, now: int, why: Diagnosis) -> None:
        """Take in why the pins cannot be had: no button does anything."""
        if why != self.notices.no_buttons:
            self.notices.no_buttons = why
            self.note(now, given_up="buttons", why=str(why))

    def buttons(self, now: int, down: Iterable[str]) -> None:
        """Take in that the pins can be had now, and which buttons are down."""
        self.tick(now)
        self.notices.no_buttons = None
        self.note(now, back="buttons")
        down = frozenset(down)
        self._backlog = LateEdgeReplay(_met(self.table, down, now), now)
        self._stuck(down - {"key"}, now)
        self._keep(now)

    def power(self, now: int, *, low: bool) -> None:
        """Take in that the voltage has become too low, or is right again."""
        self.notices.power_low = low
        self.notices.power_was_low = True
        self._keeper.note(Kind.NOTE, self.table, now, {"power": TOO_WEAK if low else "right again"})

    def display(self, now: int, news: LedNews) -> None:
        """Take in what has become of an LED display; that it goes is kept as of a lost screen, and that it is back."""
        lost, name = self.notices.displays, f"LED display {news.side}"
        if news.trouble is None:
            lost.pop(news.side, None)
            self.note(now, back=name)
            return
        if news.side not in lost:
            self.note(now, given_up=name, why=str(news.trouble))
        lost[news.side] = news.wanted
        self.notices.plugged_in = news.plugged_in

    def note(self, now: int, **body: str) -> None:
        """Have something kept that is no event."""
        self._keeper.note(Kind.NOTE, self.table, now, body)

    def next_wake(self, now: int) -> int | None:
        """Return the instant at which there is something to do if nobody does anything."""
        stuck = (since + STUCK_NS for _, since in self._held())
        instants = (due(self.table), next_change(self.table, now), *stuck)
        return min((instant for instant in instants if instant is not None), default=None)

    def stop(self, now: int) -> None:
        """Have it kept that the clock was switched off in order, and how far time had come."""
        self.tick(now)
        self._keeper.stop(self.table, now)

    def counts(self, now: int) -> bool:
        """Tell whether anybody's time counts at ``now``."""
        return counts(self.table.game_at(now))

    def _held(self) -> Iterator[tuple[str, int]]:
        """Yield the buttons that are down and not yet known to be stuck, with their first edges."""
        for button, contact in self.table.hands.contacts.items():
            if contact.down and contact.first is not None and button != "key" and button not in self.notices.stuck:
                yield button, contact.first

    def _stuck(self, buttons: Iterable[str], now: int) -> None:
        for button in sorted(buttons):
            self.notices.stuck.add(button)
            self._keeper.note(Kind.NOTE, self.table, now, {"stuck": button})

    def _keep(self, now: int) -> None:
        table = self.table
        was, self._in_menu = self._in_menu, table.menu is not None
        if was and not self._in_menu:
            self.notices.seen()
        self._keeper.keep(table, now)
        if table.hands.spikes != self._spikes:
            self._spikes = table.hands.spikes
            self._keeper.note(Kind.NOTE, table, now, {"spikes": self._spikes})
        if self.notices.recovered_s is not None and table.frozen is None:
            self.notices.recovered_s = None
            self._keeper.note(Kind.CONFIRMED, table, now, {})


def _met(table: ClockState, down: frozenset[str], now: int) -> ClockState:
    """Return the table once the buttons of a board are found, those of ``down`` down.

    A button that is down when we come is no press: as if it had been acted on already, it has to be let go first.
    """
    if not down:
        return table
    if "key" in down:
        # A switch is left on; it is no button that sticks.
        table = replace(table, menu=opened_menu(table))
    found = {button: Contact(down=True, changed=now, first=now - STUCK_NS, pressed=True) for button in down}
    return replace(table, hands=replace(table.hands, contacts={**table.hands.contacts, **found}))
