"""The table clock: applies every input to the game and records the result.

It stands between the inputs (pins, keys) and the screen. It reads no clock: every call passes its instant, so scripted and live games run the same code.
What the presses have decided is recorded; what those in progress would do is only shown (``firmware.gestures.hands``).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from msgspec.structs import replace

from appliance.errors import Diagnosis, Finding
from appliance.lock import matches
from appliance.log import get_logger
from appliance.power import TOO_LOW, Battery
from appliance.settings import RejectedSettings
from firmware.arrival import Arrival, arriving
from firmware.face import schedule
from firmware.face.guidance import with_receipt
from firmware.face.value import Face
from firmware.face.view import face, rehearsal
from firmware.gestures.clock_state import STUCK_NS, ClockState, apply_event, at_rest, closed, with_setup
from firmware.gestures.contacts import KEY
from firmware.gestures.hands import Hands
from firmware.gestures.presses import code_checked, hit_row, key_on
from firmware.gestures.table_presses import hit_digit
from firmware.guided_test import NO_PARTS, GuidedTest, Parts, begun
from firmware.journal.receipt import ReceiptCode
from firmware.journal.recovery import WRONG_CODES
from firmware.journal.writer import HeadSigned, JournalRecorder
from firmware.menu.actions import LATE_CLOCK
from firmware.menu.menu import time_counts
from firmware.shell.displays import LedNews
from firmware.shell.notices import Notices
from firmware.table_menu.actions import RECEIPT, opened
from firmware.texts import load_texts
from game import events
from game.events import By
from game.game import Phase
from game.table import NO_NAMES, between_games
from records.device_test import TEST_LEFT
from records.journal import Kind
from rules.contact import Contact
from rules.duration import format_seconds
from rules.side import BySide, Side
from rules.wear import Worn

if TYPE_CHECKING:
    # Most clocks have no hall, and import nothing of it.
    from firmware.hall.orders import HallState
    from wire.proposals import SettingValue


def with_held(state: ClockState, down: Collection[str], now: int) -> ClockState:
    """Return the state with the buttons in ``down`` held since before ``now`` (ns).

    A button that is down when the pins open is not a press: it counts as acted on, and must be released first.
    """
    # A switch stays on by design; it is not a stuck button.
    state = key_on(state, now) if "key" in down else state
    found = {button: Contact(down=True, changed_at=now, began_at=now - STUCK_NS, pressed=True) for button in down}
    return replace(state, contacts={**state.contacts, **found})


def _late_asked(state: ClockState, present: Side | None, now: int) -> ClockState:
    game = state.game_at(now)
    if present is None or game.rulebook.late_started_by != "players":
        return state
    return replace(state, table_menu=opened(game, (LATE_CLOCK,)))


def _sticking(state: ClockState) -> Iterator[tuple[str, int]]:
    for button, contact in state.contacts.items():
        if contact.down and contact.began_at is not None and button != "key":
            yield button, contact.began_at + STUCK_NS


PLAYERS_CHOOSE: Final = "director.players_choose_rulebook"
RESULTS: Final = "director.results"
TOO_WEAK: Final = "too weak"


class TableClock:
    """Instants in ns of CLOCK_MONOTONIC."""

    def __init__(  # noqa: PLR0913 - one parameter for each part of a table
        self,
        state: ClockState,
        recorder: JournalRecorder,
        notices: Notices,
        now: int,
        down: Iterable[str] = (),
        *,
        code: str = "",
        receipts: Callable[[int], None] = lambda _: None,
        parts: Parts = NO_PARTS,
        examine: Callable[[], None] = lambda: None,
    ) -> None:
        self.notices = notices
        self.hall: HallState | None = None
        """What the hall has changed here; None: this clock belongs to no hall, and nothing shows one."""
        self._code = code
        """The hash of the code of the director's door."""
        self._receipts = receipts
        """Asked for the receipt of a game, by its number in the journal; it comes by ``receipt``."""
        self._parts, self._examine = parts, examine
        """What a guided test of this clock asks for; asked to examine the rest, which comes by ``examined``."""
        self._cover: GuidedTest | Arrival | None = None
        """What takes the edges, and covers the face, in place of the game."""
        self._examines = self._tested = False
        """It is past its last step, and has its result."""
        self.here: BySide[bool] | None = None
        """Which of the players named for this game have arrived; None: they are not asked."""
        self._named = NO_NAMES
        """Whom the page of the arrival has asked for last."""
        self._recorder = recorder
        self._spikes = 0
        self._in_menu = False
        self._asks_receipt = False
        self._receipt: ReceiptCode | None = None
        self._hands = Hands(with_held(state, frozenset(down), now), now, now=now)
        self._report_stuck(now)
        self._recorder.record(state, now)

    @property
    def table(self) -> ClockState:
        return self._hands.shown

    @property
    def decided(self) -> ClockState:
        """The state that is recorded: without the presses that something may still change."""
        return self._hands.decided

    def known(self, now: int) -> int:
        """Return the instant up to which ``decided`` is all that has happened by ``now`` (both ns)."""
        since = self._hands.undecided_since
        return now if since is None else min(now, since)

    @property
    def game(self) -> int:
        return self._recorder.game

    def edge(self, button: str, at: int, *, down: bool) -> None:
        if self.hall is not None and self.hall.updating:
            return
        if self._cover is not None:
            self._cover = self._cover.edge(button, at, down=down)
            return
        self._hands = self._hands.edge(button, at, down=down)
        if not down:
            self.notices.stuck.discard(button)

    def tick(self, now: int) -> None:
        """Advance to ``now``, and record what has been decided on the way, one by one."""
        self._hands = self._hands.tick(now)
        self._check_code(now)
        for decided in self._hands.newly_decided:
            self._record(decided.state, decided.at)
        self._hands = self._hands.advanced
        self._report_stuck(now)
        self._notice(now)
        self._guide(now)
        self._welcome(now)

    def hit_row(self, row: int, now: int) -> None:
        self._put(partial(hit_row, row=row, at=now), now)

    def hit_digit(self, digit: int, now: int) -> None:
        self._put(partial(hit_digit, digit=digit, at=now), now)

    def lose_screen(self, error: Exception, now: int) -> None:
        self.set_up(now, screen=False)
        self.give_up("screen", error, now)

    def give_up(self, what: str, error: Exception, now: int) -> None:
        get_logger().error("a part is given up, the game goes on", what=what, why=str(error))
        self.note(now, given_up=what, why=str(error))

    def face(self, now: int) -> Face:
        shown = face(self.table, now, self.notices.lines(self.table), self.notices.no_buttons)
        if self.hall is not None:
            shown = self.hall.shown_on(shown, self.table, now)
        if self._cover is not None:
            return self._cover.shown_on(shown, self.table.setup.texts, now)
        return shown if self._receipt is None else with_receipt(shown, self.table, self._receipt.rows)

    def examined(self, findings: Iterable[Finding], now: int) -> None:
        """Take what was found for the guided test. A supply that was too weak a moment ago is no better for being right again."""
        if isinstance(self._cover, GuidedTest):
            found = (TOO_LOW if each.name == TOO_LOW.name and self.notices.power_low else each for each in findings)
            network = () if self.hall is None else (self.hall.network,)
            self._go_on(self._cover.examined((*found, *network), now), now)

    def receipt(self, code: ReceiptCode) -> None:
        if self._asks_receipt and code.game == self.game:
            self._receipt = code

    def rehearsal(self, now: int) -> Iterator[Face]:
        return rehearsal(self.table, now, self.notices.lines(self.table))

    def mark(self, now: int) -> int | None:
        """Make counted time durable; return the next instant to call this: at once if the screen has something new to show."""
        again = self._recorder.mark(self.decided, self.known(now), now, counting=time_counts(self.table.game_at(now)))
        late, late_since = self._recorder.late, self.notices.late_since
        if late == (late_since is not None):
            return again
        self.notices.late_since = now if late else None
        if late_since is None:
            get_logger().warning("marks are late: a power cut now would lose more time than the clock could report")
        else:
            self.note(now, marks_late_s=format_seconds(now - late_since))
            get_logger().warning("marks are on time again", late_s=format_seconds(now - late_since))
        return now

    def asleep(self, now: int, wake: int | None) -> None:
        self._recorder.asleep(self.table, now, wake)

    def awake(self, now: int) -> None:
        self._recorder.awake(self.table, now)

    def refused(self, now: int, refused: RejectedSettings) -> None:
        self.notices.settings = refused
        self.note_row(Kind.NOTE, now, {"settings": str(refused.why)})

    def no_buttons(self, now: int, why: Diagnosis) -> None:
        if why != self.notices.no_buttons:
            self.notices.no_buttons = why
            self.note(now, given_up="buttons", why=str(why))

    def buttons(self, now: int, down: Iterable[str]) -> None:
        if self.notices.no_buttons is not None:
            self.notices.no_buttons = None
            self.note(now, back="buttons")
        self._decide(now, lambda state: with_held(closed(state), frozenset(down), now))

    def battery(self, now: int, battery: Battery) -> None:
        if battery.low and not (self.notices.battery is not None and self.notices.battery.low):
            self.note(now, battery=f"{battery.percent} %")
        self.notices.battery = battery

    def worn(self, now: int, worn: tuple[Worn, ...]) -> None:
        for each in worn:
            if each.button not in {known.button for known in self.notices.worn}:
                self.note(now, worn=str(each.words))
        self.notices.worn = worn

    def power(self, now: int, *, low: bool) -> None:
        self.notices.power_low = low
        self.notices.power_was_low = True
        self.note_row(Kind.NOTE, now, {"power": TOO_WEAK if low else "right again"})

    def display(self, now: int, news: LedNews) -> None:
        lost, name = self.notices.displays, f"LED display {news.side}"
        if news.trouble is None:
            lost.pop(news.side, None)
            self.note(now, back=name)
            return
        if news.side not in lost:
            self.note(now, given_up=name, why=str(news.trouble))
        lost[news.side] = news.port
        self.notices.plugged_in = news.plugged_in

    def note_row(self, kind: Kind, now: int, body: Mapping[str, Any]) -> None:
        # Its row is on the disk before an undecided press, so it claims no time since.
        self._recorder.note(kind, self.decided, self.known(now), body)

    def note(self, now: int, **body: str) -> None:
        self.note_row(Kind.NOTE, now, body)

    def signed(self, now: int, signed: HeadSigned) -> None:
        self.note_row(Kind.SIGNED, now, signed.body)

    def apply_from_hall(self, event: events.GameEvent | events.Undo, by: By, now: int) -> None:
        """Apply an event that no button makes, at ``now``; what is held stays what it is. A late edge before it may make it impossible."""
        self._put(partial(apply_event, event=event, at=now, by=by), now)

    def rest(self, now: int) -> None:
        """End at ``now`` what is held, close the menus, and let no late edge reach back: the clock is to be updated."""
        self._decide(now, at_rest)

    def take_up(self, settings: Mapping[str, SettingValue], now: int) -> None:
        """Put those of the desk's ``settings`` in force that are the table's: its language, whether players choose the rulebook, and where they sign."""
        self.notices.desk_file_written()
        if "language" in settings:
            self.set_up(now, texts=load_texts(str(settings["language"]), two_button=self.table.setup.two_button))
        if PLAYERS_CHOOSE in settings:
            self.set_up(now, players_choose_rulebook=settings[PLAYERS_CHOOSE])
        if RESULTS in settings:
            self.set_up(now, results=settings[RESULTS] == "clock")

    def set_up(self, now: int, **changes: Any) -> None:
        self._put(lambda state: with_setup(state, replace(state.setup, **changes), now), now)

    def _put(self, change: Callable[[ClockState], ClockState], now: int) -> None:
        """Make a change at ``now`` that no edge makes; a late edge before it makes it again."""
        self.tick(now)
        self._hands = self._hands.change(change, now)
        self.tick(now)

    def _decide(self, now: int, make: Callable[[ClockState], ClockState] = closed) -> None:
        """Decide and record at ``now`` all that is shown, as ``make`` leaves it: no late edge reaches back."""
        self.tick(now)
        self._hands = self._hands.at_once(make)
        self._record(self.decided, now)
        self._report_stuck(now)

    def next_due(self, now: int) -> int | None:
        covered = any(each is not None for each in (self.table.menu, self.table.door, self.table.table_menu))
        instants = (
            self._hands.due,
            schedule.next_due(self.table, now),
            None if self.hall is None else self.hall.next_due(now, covered=covered),
            min((at for button, at in _sticking(self.table) if button not in self.notices.stuck), default=None),
            self.notices.next_due(now),
            None if self._cover is None else min((at for at in self._cover.dues(now) if at > now), default=None),
        )
        return min((instant for instant in instants if instant is not None), default=None)

    def stop(self, now: int) -> None:
        self._decide(now)
        self._recorder.stop(self.decided, now)

    def in_progress(self, now: int) -> bool:
        return self.table.game_at(now).phase not in (Phase.READY, Phase.OVER)

    def _report_stuck(self, now: int) -> None:
        for button in sorted({button for button, at in _sticking(self.table) if now >= at} - self.notices.stuck):
            self.notices.stuck.add(button)
            self.note_row(Kind.NOTE, now, {"stuck": button})

    def _check_code(self, now: int) -> None:
        """Check a code that was handed in at the director's door, and record how many were wrong.

        The loop waits for the hash, about 50 ms: the clocks stand at the door, and edges keep their kernel instants.
        """
        door = self.table.door
        if door is None or not door.checking:
            return
        right = matches(door.entered, self._code)
        self._hands = self._hands.change(lambda state: code_checked(state, now, right=right) if state.door == door else state, now)
        self.note_row(Kind.DOOR, now, {WRONG_CODES: self.table.wrong_codes})

    def _record(self, decided: ClockState, at: int) -> None:
        before = self._recorder.game
        self._recorder.record(decided, at)
        if self.hall is not None and self._recorder.game != before:
            # A request to stop and a verdict were for the game before, and so were the names of its players.
            self.hall = replace(self.hall, stop=None, verdict=None, played=None)
        if self.notices.interruption is not None and decided.frozen is None:
            self.notices.interruption = None
            self._recorder.note(Kind.CONFIRMED, decided, at, {})

    def _guide(self, now: int) -> None:
        """Begin the guided test that was asked for, or let it go on; at its end the table is as its buttons are."""
        if isinstance(self._cover, GuidedTest):
            self._go_on(self._cover.until(now), now)
        elif self.table.test_asked:
            self._cover = begun(self._parts, (button for button, each in self.table.contacts.items() if each.down), now)
            self._decide(
                now, lambda state: replace(closed(state), contacts={}, strokes={}, menu=None, menu_closes_at=None, test_asked=False)
            )

    def _go_on(self, test: GuidedTest, now: int) -> None:
        self._cover = None if test.over else test
        if test.step is None and not self._examines:
            self._examine()
        if test.result is not None and not self._tested:
            self.note_row(Kind.NOTE, now, test.result.body)
        self._examines, self._tested = test.step is None, test.result is not None
        if test.over and not self._tested:
            self.note_row(Kind.NOTE, now, TEST_LEFT)
        if test.over:
            self._examines = self._tested = False
            self._decide(now, lambda state: with_held(state, test.down, now))

    def _welcome(self, now: int) -> None:
        """Ask the players whom the desk has named for the arrival, once, before their game."""
        if self.hall is None or not self.hall.arrival:
            return
        names = self.hall.seats.names
        free = bool(names.left and names.right) and self._awaits_players(now)
        if self.table.game_at(now).phase is not Phase.READY or names != self._named:
            self.here = None
        if not isinstance(self._cover, Arrival):
            if free and names != self._named:
                self._arrive(arriving(names, frozenset(button for button, each in self.table.contacts.items() if each.down)))
                self._decide(now, lambda state: replace(closed(state), contacts={}, strokes={}))
            return
        if names != self._named:
            self._cover = arriving(names, self._cover.down)
        arrival = self._arrive(self._cover.until(now))
        if arrival.over or not free:
            # A button that leaves the page is neither pressed nor stuck afterwards.
            held, present, self._cover = arrival.down & {KEY}, arrival.present, None
            self._decide(now, lambda state: _late_asked(with_held(state, held, now), present, now))

    def _arrive(self, arrival: Arrival) -> Arrival:
        self._cover, self.here, self._named = arrival, arrival.here, arrival.names
        return arrival

    def _awaits_players(self, now: int) -> bool:
        """Return whether nothing but the players is missing for a game to begin."""
        state, hall = self.table, self.hall
        covered = any((isinstance(self._cover, GuidedTest), state.menu, state.door, state.table_menu, state.test_asked))
        waits = state.game_at(now).phase is Phase.READY and between_games(state.game_at(now)) and state.frozen is None
        return waits and state.setup.screen and not covered and hall is not None and not hall.updating and hall.timer is None

    def _notice(self, now: int) -> None:
        was_in_menu, self._in_menu = self._in_menu, self.table.menu is not None
        if was_in_menu and not self._in_menu:
            self.notices.acknowledge()
        # Read again each time: the signature of the clock's key may have come since.
        asked, self._asks_receipt = self._asks_receipt, self.table.table_menu is not None and self.table.table_menu.path == (RECEIPT,)
        if self._asks_receipt and not asked:
            self._receipts(self.game)
        elif not self._asks_receipt:
            self._receipt = None
        if self.hall is not None and (seats := self.hall.seats) != self.table.setup.seats:
            self._hands = self._hands.change(lambda state: replace(state, setup=replace(state.setup, seats=seats)), now)
        if self.hall is not None and self.hall.timer is not None and not between_games(self.table.game_at(now)):
            self.hall = replace(self.hall, timer=None)
        if self.decided.spikes != self._spikes:
            self._spikes = self.decided.spikes
            self.note_row(Kind.NOTE, now, {"spikes": self._spikes})
