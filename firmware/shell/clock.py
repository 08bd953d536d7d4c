"""The table clock: applies every input to the game and records the result.

It stands between the inputs (pins, keys) and the screen. It reads no clock: every call passes its instant, so scripted and live games run the same code.

**Late edges** are inserted where they belong. The thread that delivers edges may be delayed while the game's time advances. Every edge carries its
kernel instant, so the table before it is restored and everything since is folded again: the outcome is exactly as if the edge had arrived in time.
Tables are frozen values, so storing them is cheap.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from appliance.errors import Diagnosis
from appliance.lock import matches
from appliance.log import get_logger
from appliance.settings.layers import RejectedSettings
from firmware.face import schedule
from firmware.face.value import Face
from firmware.face.view import face, rehearsal
from firmware.gestures import presses
from firmware.gestures.clock_state import ClockState, at_rest, with_change, without_forbidden_rulebooks
from firmware.gestures.director_presses import code_checked, code_of, hit_row, key_on
from firmware.gestures.presses import edge, tick
from firmware.gestures.stroke import STUCK_NS
from firmware.journal.recovery import WRONG_CODES
from firmware.journal.writer import HeadSigned, JournalRecorder
from firmware.menu.menu import time_counts
from firmware.shell.displays import LedNews
from firmware.shell.notices import Notices
from firmware.texts import load_texts
from game import events
from game.events import By
from game.game import EventNotAllowed, Phase
from game.history import accept
from game.journal.row import Kind
from game.table import OfferedGame, between_games
from rules.contact import Contact
from rules.duration import NS, format_seconds

if TYPE_CHECKING:
    # Most clocks have no hall, and import nothing of it.
    from firmware.hall.state import HallState
    from wire.proposals import SettingValue


def with_held(table: ClockState, down: Collection[str], now: int) -> ClockState:
    """Return the table with the buttons in ``down`` held since before ``now`` (ns).

    A button that is down when the pins open is not a press: it counts as acted on, and must be released first.
    """
    if not down:
        return table
    if "key" in down:
        # A switch stays on by design; it is not a stuck button.
        table = key_on(table, now)
    found = {button: Contact(down=True, changed_at=now, began_at=now - STUCK_NS, pressed=True) for button in down}
    return replace(table, button_state=replace(table.button_state, contacts={**table.button_state.contacts, **found}))


def stuck(table: ClockState, now: int) -> set[str]:
    """Return the buttons that are stuck at ``now`` (ns)."""
    return {button for button, at in _sticking(table) if now >= at}


def next_stuck(table: ClockState, reported: Collection[str]) -> int | None:
    """Return the instant (ns) at which the next button is stuck, besides those in ``reported``; None: only an edge can change that."""
    return min((at for button, at in _sticking(table) if button not in reported), default=None)


def _sticking(table: ClockState) -> Iterator[tuple[str, int]]:
    """Yield each button that is down, and when it is stuck if it stays down."""
    for button, contact in table.button_state.contacts.items():
        if contact.down and contact.began_at is not None and button != "key":
            yield button, contact.began_at + STUCK_NS


HISTORY_NS: Final = 10 * NS
"""The length of the history: an edge that is later than this is inserted at the oldest stored table."""


StateChange: TypeAlias = Callable[[ClockState], ClockState]
"""A change of the table at its own instant."""


class _Snapshot(Struct, frozen=True):
    """The table right after an edge or other change at an instant (ns), before any further tick."""

    at: int
    after: ClockState
    change: StateChange | None = None
    """What made it of the table before; None: the first one."""


class LateEdgeReplay:
    """The present table, with the history that a late edge needs."""

    def __init__(self, table: ClockState, now: int) -> None:
        self.table = table
        self._ticked = now
        self._history = [_Snapshot(now, table)]

    def edge(self, button: str, at: int, *, down: bool) -> None:
        """Apply an edge of ``button`` at ``at`` (ns), in time or late."""
        change = partial(edge, button=button, at=at, down=down)
        if at > self._ticked:
            self._apply(change, at)
            return
        # Also at the very instant that was ticked to: a fill that was full then may have to wait for this edge.
        later: list[_Snapshot] = []
        while len(self._history) > 1 and self._history[-1].at > at:
            later.append(self._history.pop())
        ticked, self.table = self._ticked, self._history[-1].after
        oldest = self._history[-1].at
        self._apply(change if at >= oldest else partial(edge, button=button, at=oldest, down=down), max(at, oldest))
        for snapshot in reversed(later):
            if snapshot.change is not None:
                self._apply(snapshot.change, snapshot.at)
        self.tick(ticked)

    def put(self, change: StateChange, now: int) -> None:
        """Make a change at ``now`` (ns) that no edge makes; a late edge before it makes it again."""
        self._apply(lambda table: change(tick(table, now)), now)

    def tick(self, now: int, after_each: Callable[[int], None] = lambda _: None) -> None:
        """Advance to ``now`` (ns); ``after_each`` gets the instant of each thing that was due by then, one by one."""
        self._ticked = max(self._ticked, now)
        # Step by step: a new game's history begins at its own instant, and edges since then may still be late.
        while (ripe := presses.next_due(self.table)) is not None and ripe <= self._ticked:
            self._advance(ripe)
            after_each(ripe)
        self._advance(self._ticked)
        fresh = next((index for index, snapshot in enumerate(self._history) if snapshot.at > now - HISTORY_NS), len(self._history))
        if fresh > 1:
            del self._history[: fresh - 1]

    def _advance(self, at: int) -> None:
        before, self.table = self.table, tick(self.table, at)
        if _is_new_game(before, self.table):
            self._history = [_Snapshot(at, self.table)]

    def _apply(self, change: StateChange, at: int) -> None:
        before, self.table = self.table, change(self.table)
        self._ticked = max(self._ticked, at)
        if _is_new_game(before, self.table):
            self._history.clear()
        self._history.append(_Snapshot(at, self.table, change))


def _is_new_game(before: ClockState, after: ClockState) -> bool:
    """Return whether a new game has begun: late edges do not reach back into the old one."""
    history = after.history
    return history.before is None and all(link is not history for link in before.history)


PLAYERS_CHOOSE: Final = "director.players_choose_rulebook"
TOO_WEAK: Final = "too weak"
"""The journal's value for a voltage that is too low."""


class TableClock:
    """A table during play. Instants in ns of CLOCK_MONOTONIC."""

    def __init__(  # noqa: PLR0913 - one parameter for each part of a table
        self, table: ClockState, recorder: JournalRecorder, notices: Notices, now: int, down: Iterable[str] = (), *, code: str = ""
    ) -> None:
        self.notices = notices
        self.hall: HallState | None = None
        """What the hall has changed here; None: this clock belongs to no hall, and nothing shows one."""
        self._code = code
        """The hash of the code of the director's door."""
        self._recorder = recorder
        self._spikes = 0
        self._in_menu = False
        self._late_since: int | None = None
        self._replay = LateEdgeReplay(with_held(table, frozenset(down), now), now)
        self._report_stuck(now)
        self._recorder.record(table, now)

    @property
    def table(self) -> ClockState:
        return self._replay.table

    @property
    def game(self) -> int:
        """The present game's number in the journal."""
        return self._recorder.game

    def edge(self, button: str, at: int, *, down: bool) -> None:
        """Apply a contact edge at its instant, which may lie in the past."""
        if self.hall is not None and self.hall.updating:
            return
        # Not up to the edge itself: it may begin a chord at the very instant at which a fill would be full.
        self.tick(at - 1)
        self._replay.edge(button, at, down=down)
        if not down:
            self.notices.stuck.discard(button)
        self._record(at)

    def tick(self, now: int) -> None:
        """Advance to ``now``; history each gesture that becomes definite on the way, one by one."""
        self._replay.tick(now, self._record)
        self._report_stuck(now)

    def hit_row(self, row: int, now: int) -> None:
        """Apply a mouse or a finger on a row of the director's menu."""
        self.tick(now)
        self._replay.put(partial(hit_row, row=row, at=now), now)
        self._record(now)

    def without_screen(self, now: int) -> None:
        self.tick(now)
        self._replay.put(lambda table: replace(table, setup=replace(table.setup, screen=False), table_menu=None), now)

    def face(self, now: int) -> Face:
        shown = face(self.table, now, self.notices.lines(self.table), self.notices.no_buttons)
        if self.hall is None:
            return shown
        from firmware.hall.state import with_hall  # noqa: PLC0415 - only where there is a hall

        return with_hall(shown, self.table, self.hall, now)

    def rehearsal(self, now: int) -> Iterator[Face]:
        """Yield faces for the screen to prepare."""
        return rehearsal(self.table, now, self.notices.lines(self.table))

    def mark(self, now: int) -> int | None:
        """Make counted time durable; return the next instant to call this: at once if the screen has something new to show."""
        again = self._recorder.mark(self.table, now, counting=self.counts(now))
        late, late_since = self._recorder.late, self._late_since
        if late == (late_since is not None):
            return again
        self.notices.late = late
        self._late_since = now if late else None
        if late_since is None:
            get_logger().warning("marks are late: a power cut now would lose more time than the clock could report")
        else:
            self.note(now, marks_late_s=format_seconds(now - late_since))
            get_logger().warning("marks are on time again", late_s=format_seconds(now - late_since))
        return now

    def asleep(self, now: int, wake: int | None) -> None:
        """History that the loop goes to sleep, until ``wake`` (ns) at the latest."""
        self._recorder.asleep(self.table, now, wake)

    def awake(self, now: int) -> None:
        """History that the loop has woken."""
        self._recorder.awake(self.table, now)

    def progress(self, trouble: Diagnosis | None) -> None:
        """Set why nothing can be written; None: writing works again."""
        self.notices.writing(trouble)

    def refused(self, now: int, refused: RejectedSettings) -> None:
        """Set why the machine's files are not in force."""
        self.notices.settings = refused
        self._recorder.note(Kind.NOTE, self.table, now, {"settings": str(refused.why)})

    def no_buttons(self, now: int, why: Diagnosis) -> None:
        """Set why the pins are unavailable: no button works."""
        if why != self.notices.no_buttons:
            self.notices.no_buttons = why
            self.note(now, given_up="buttons", why=str(why))

    def buttons(self, now: int, down: Iterable[str]) -> None:
        """Note that the pins are available, and which buttons are down."""
        self.tick(now)
        self.notices.no_buttons = None
        self.note(now, back="buttons")
        self._replay = LateEdgeReplay(with_held(self.table, frozenset(down), now), now)
        self._report_stuck(now)
        self._record(now)

    def power(self, now: int, *, low: bool) -> None:
        """Note that the voltage is too low, or normal again."""
        self.notices.power_low = low
        self.notices.power_was_low = True
        self._recorder.note(Kind.NOTE, self.table, now, {"power": TOO_WEAK if low else "right again"})

    def display(self, now: int, news: LedNews) -> None:
        """Note the loss or return of an LED display, in the journal too."""
        lost, name = self.notices.displays, f"LED display {news.side}"
        if news.trouble is None:
            lost.pop(news.side, None)
            self.note(now, back=name)
            return
        if news.side not in lost:
            self.note(now, given_up=name, why=str(news.trouble))
        lost[news.side] = news.port
        self.notices.plugged_in = news.plugged_in

    def note(self, now: int, **body: str) -> None:
        """History a note, which is not an event."""
        self._recorder.note(Kind.NOTE, self.table, now, body)

    def signed(self, now: int, signed: HeadSigned) -> None:
        self._recorder.note(Kind.SIGNED, self.table, now, signed.body)

    def note_of_hall(self, kind: Kind, now: int, body: Mapping[str, Any]) -> None:
        self._recorder.note(kind, self.table, now, body)

    def apply_from_hall(self, event: events.GameEvent | events.Undo, by: By, now: int) -> None:
        """Apply an event that no button makes, at ``now``; fills that were for the state before it end."""
        self.tick(now)
        self._replay.put(partial(_from_hall, event=event, by=by, at=now), now)
        self._record(now)

    def offer(self, offered: OfferedGame, now: int) -> None:
        """Offer a next game, which the players begin."""
        self._set_up(now, offered=offered)

    def asked_to_stop(self, at: int, now: int) -> None:
        """Keep ``at``, the game's instant of the director's request to stop: the director's menu offers the time since then."""
        self._set_up(now, stop_asked=at)

    def round_begins(self, at: int | None, now: int) -> None:
        """Keep ``at``, the game's instant at which the round began or begins: a late start counts from it. None: it is not known."""
        self._set_up(now, round_began=at)

    def rest(self, now: int) -> None:
        """End at ``now`` what is held, close the menus, and let no late edge reach back: the clock is to be updated."""
        self.tick(now)
        self._replay = LateEdgeReplay(at_rest(self.table), now)

    def take_up(self, settings: Mapping[str, SettingValue], now: int) -> None:
        """Put those of the desk's ``settings`` in force that are the table's: its language, and whether players choose the rulebook."""
        self.notices.desk_file_written()
        if "language" in settings:
            self.notices.texts = load_texts(str(settings["language"]))
            self._set_up(now, texts=self.notices.texts)
        if PLAYERS_CHOOSE in settings:
            self._set_up(now, players_choose_rulebook=settings[PLAYERS_CHOOSE])
            self._replay.put(without_forbidden_rulebooks, now)

    def _set_up(self, now: int, **changes: Any) -> None:
        """Replace parts of the table's setup."""
        self.tick(now)
        self._replay.put(lambda table: replace(table, setup=replace(table.setup, **changes)), now)

    def next_due(self, now: int) -> int | None:
        """Return the next instant with work to do if no input comes first."""
        instants = (
            presses.next_due(self.table),
            schedule.next_due(self.table, now),
            self._hall_changes(now),
            next_stuck(self.table, self.notices.stuck),
        )
        return min((instant for instant in instants if instant is not None), default=None)

    def _hall_changes(self, now: int) -> int | None:
        if self.hall is None:
            return None
        from firmware.hall import state  # noqa: PLC0415 - only where there is a hall

        covered = any(each is not None for each in (self.table.menu, self.table.door, self.table.table_menu))
        return state.next_due(self.hall, now, covered=covered)

    def stop(self, now: int) -> None:
        """History that the clock was switched off normally, and how far time had come."""
        self.tick(now)
        self._recorder.stop(self.table, now)

    def counts(self, now: int) -> bool:
        """Return whether a player's time counts at ``now``."""
        return time_counts(self.table.game_at(now))

    def in_progress(self, now: int) -> bool:
        """Return whether a game is under way at ``now``, running or stopped."""
        return self.table.game_at(now).phase not in (Phase.READY, Phase.OVER)

    def _report_stuck(self, now: int) -> None:
        for button in sorted(stuck(self.table, now) - self.notices.stuck):
            self.notices.stuck.add(button)
            self._recorder.note(Kind.NOTE, self.table, now, {"stuck": button})

    def _check_code(self, now: int) -> None:
        """Check a code that was handed in at the director's door, and record how many were wrong.

        The loop waits for the hash, about 50 ms: the clocks stand at the door, and edges keep their kernel instants.
        """
        door = self.table.door
        if door is None or not door.checking:
            return
        right = matches(code_of(door.entered), self._code)
        self._replay.put(lambda table: code_checked(table, now, right=right) if table.door == door else table, now)
        self._recorder.note(Kind.DOOR, self.table, now, {WRONG_CODES: self.table.wrong_codes})

    def _record(self, now: int) -> None:
        self._check_code(now)
        table = self.table
        was_in_menu, self._in_menu = self._in_menu, table.menu is not None
        if was_in_menu and not self._in_menu:
            self.notices.acknowledge()
        before = self._recorder.game
        self._recorder.record(table, now)
        if self.hall is not None and self._recorder.game != before:
            # A request to stop and a verdict were for the game before, and so were the names of its players.
            self.hall = replace(self.hall, stop=None, verdict=None, played=None)
        if self.hall is not None and self.hall.timer is not None and not between_games(table.game_at(now)):
            self.hall = replace(self.hall, timer=None)
        if table.button_state.spikes != self._spikes:
            self._spikes = table.button_state.spikes
            self._recorder.note(Kind.NOTE, table, now, {"spikes": self._spikes})
        if self.notices.recovered_s is not None and table.frozen is None:
            self.notices.recovered_s = None
            self._recorder.note(Kind.CONFIRMED, table, now, {})


def _from_hall(table: ClockState, event: events.GameEvent | events.Undo, by: By, at: int) -> ClockState:
    """Return the table after ``event``; unchanged where a late edge has since made it impossible."""
    try:
        return with_change(table, accept(table.history, event, table.instant(at), by=by), at, ())
    except EventNotAllowed:
        return table
