"""The loop: sleep until an input comes or the face changes by itself; then apply, record, draw.

Only the main thread touches the table and the screen. A screen or lamp may fail: it is then disabled and reported, and the game continues.
Touches and keys of the screen become edges with instants, like those of a board's pins.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Final, TypeAlias

from msgspec import Struct

from appliance.clocks import Clocks
from appliance.display.screen import BlankScreen
from appliance.errors import Diagnosis, Finding, PowerOffError, ScreenError
from appliance.log import get_logger
from appliance.power import Battery, Power
from appliance.process import startup_done
from appliance.program import Deadlines, Inbox, PowerOff, Supervisor
from firmware.face.value import Face
from firmware.journal.receipt import ReceiptCode
from firmware.journal.writer import HeadSigned, Progress
from firmware.screens.screen import ButtonEdge, DigitHit, Quit, RowHit, Screen, ScreenInput, Tap
from firmware.shell.clock import TableClock
from firmware.shell.displays import Displays, LedNews, Signals
from firmware.shell.wear import WearLog
from game.table import between_games
from hardware.boards.board import ASKING
from hardware.buttons.board_pins import BoardPins, Edge
from hardware.buttons.steady import Steady
from hardware.pins.opening import RetryingPins
from rules.duration import NS

if TYPE_CHECKING:
    # Most clocks have no hall, and its messages would slow their start.
    from firmware.shell.hall import HallInput
    from firmware.shell.hall_messages import HallMessages
    from firmware.shell.speech import Speech
    from wire.proposals import SettingValue


TAP_NS: Final = 20_000_000
"""The shortest time a key or finger is down: a press and release read at once would be a spike."""


class Fingers:
    """Schedules pending releases. Instants in ns; a key's instant is that of reading it."""

    def __init__(self) -> None:
        self._down: dict[str, int] = {}
        self._pending: list[Edge] = []

    @property
    def release_instants(self) -> list[int]:
        return [edge.at for edge in self._pending]

    def edges(self, pressed: Iterable[ScreenInput], now: int) -> list[Edge]:
        for each in pressed:
            if isinstance(each, ButtonEdge):
                self._pending.append(self._edge(each, now))
            elif isinstance(each, Tap):
                self._pending.append(Edge(each.button, down=True, at=now, stamped=False))
                self._pending.append(Edge(each.button, down=False, at=now + each.held, stamped=False))
        due = [edge for edge in self._pending if edge.at <= now]
        self._pending = [edge for edge in self._pending if edge.at > now]
        return due

    def _edge(self, pressed: ButtonEdge, now: int) -> Edge:
        if pressed.down:
            self._down[pressed.button] = now
            return Edge(pressed.button, down=True, at=now, stamped=False)
        earliest = self._down.pop(pressed.button, now - TAP_NS) + TAP_NS
        return Edge(pressed.button, down=False, at=max(now, earliest), stamped=False)


class Examined(Struct, frozen=True):
    findings: tuple[Finding, ...]


def examine_apart(examine: Callable[[], Iterable[Finding]], pass_on: Callable[[Examined], None]) -> None:
    """Examine in a thread of its own, which hands the findings to ``pass_on``: neither disk nor network may hold up the loop."""
    threading.Thread(target=lambda: pass_on(Examined(tuple(examine()))), name="examine", daemon=True).start()


UNREAD_NS: Final = NS // 2
"""How long to wait for edges that are not read yet. Contacts that never rest are never read to the end."""
LOOK_S: Final = 0.01
Input: TypeAlias = "Edge | Progress | Quit | Power | Battery | LedNews | HeadSigned | ReceiptCode | Examined | HallInput"
LED_BRIGHTNESS: Final = "led.brightness"
CONFIRM_LEAVE_NS: Final = 5 * NS
"""While a clock runs, quitting takes two requests within this time."""


class Loop:
    def __init__(  # noqa: PLR0913 - one parameter for each part of a clock
        self,
        clock: TableClock,
        screen: Screen,
        pins: BoardPins | None,
        inbox: Inbox[Input],
        clocks: Clocks,
        *,
        supervisor: Supervisor,
        displays: Displays,
        signals: Signals,
        wear: WearLog,
        retrying_pins: RetryingPins[BoardPins] | None = None,
        speech: Speech | None = None,
        steady: Steady | None = None,
        hall: HallMessages | None = None,
    ) -> None:
        self.inbox = inbox
        self._clock = clock
        self._screen = screen
        self._pins = pins
        self._retrying_pins = retrying_pins
        self._displays = displays
        self._hall = hall
        self._clocks = clocks
        self._power_off = supervisor.power_off
        self._deadlines = Deadlines(inbox, screen, clocks, supervisor.heartbeat)
        self._fingers = Fingers()
        self._signals = signals
        self._speech = speech
        self._steady = steady
        self._wear = wear

    @property
    def plays_without_a_screen(self) -> bool:
        return self._pins is not None

    @property
    def outlives_session(self) -> bool:
        """There are or will be pins: the game survives the end of the session."""
        return self._pins is not None or self._retrying_pins is not None

    def leave(self) -> None:
        """Make ``run`` end, from any thread and without confirmation."""
        self.inbox.put(Quit())

    def begin(self) -> None:
        """Show the first picture, then open the pins; the clock is ready only afterwards. All else of a turn waits: a start is short."""
        now = self._clocks.now()
        self._draw(self._clock.face(now), now)
        self._try_pins(now)

    @property
    def ended(self) -> Mapping[str, str]:
        return {}

    def run(self) -> None:
        startup_done()
        self._screen.warm(self._clock.rehearsal(self._clocks.now()))
        self._signals.open_tones(self._clocks.now())
        if self._speech is not None:
            self._speech.prepare(self._clock.table)
        if self._hall is not None:
            # After the first picture: nothing of the hall may delay it.
            self._hall.begin()
        now, running = self._clocks.now(), True
        while running:
            items = self._wait(self._show(now))
            now = self._clocks.now()
            running = self._handle([*items, *self._unread()], now)
        stopped_at = self._clocks.now()
        if self._hall is not None:
            self._hall.stop(stopped_at)
        self._clock.stop(stopped_at)
        if self._hall is not None:
            self._sign_the_stop(stopped_at)

    def _sign_the_stop(self, at: int) -> None:
        """Record the signature of the stop, of the same instant: no time passes on the clock meanwhile."""

        def of_stop(item: Input) -> bool:
            if not isinstance(item, HeadSigned):
                return False
            # The signature of a verdict just before may come first.
            self._clock.signed(at, item)
            return item.of_stop

        self._deadlines.wait_for_signature(of_stop)

    def _show(self, now: int) -> int | None:
        """Advance everything to ``now``, show it, and return the next wake (ns; None: on input)."""
        tried = self._try_pins(now)
        self._clock.tick(now)
        if self._clock.table.power_off and self._power_off is not None:
            self._switch_off(self._power_off, now)
        notices = self._clock.notices
        if notices.leaving_until is not None and now >= notices.leaving_until:
            notices.leaving_until = None
        face = self._clock.face(now)
        self._draw(face, now)
        self._displays.show(face)
        if self._hall is not None:
            self._hall.show(now)
        self._signals.show(self._pins, face, now)
        if self._speech is not None:
            self._speech.show(face, self._clock.table)
        self._count_wear(now)
        instants = [self._clock.mark(now), self._clock.next_due(now), self._reread(now), tried, notices.leaving_until]
        instants += self._fingers.release_instants
        if self._steady is not None:
            instants += self._steady.dues
        if self._hall is not None:
            instants.append(self._hall.next_due)
        # A screen that cannot wait for input is polled where it is the only input.
        wake = self._deadlines.next_due(instants, now, polls=self._pins is None)
        self._clock.asleep(now, wake)
        return wake

    def _try_pins(self, now: int) -> int | None:
        if self._retrying_pins is None:
            return None
        self._pins = self._retrying_pins.retry(now)
        if self._pins is None:
            if self._retrying_pins.why is not None:
                self._clock.no_buttons(now, self._retrying_pins.why)
            return self._retrying_pins.due
        self._retrying_pins = None
        self._clock.buttons(self._clocks.now(), self._pins.down())
        return None

    def _count_wear(self, now: int) -> None:
        """Count the edges of the buttons, after the picture of them."""
        if self._wear.count(now, playing=not between_games(self._clock.table.game_at(now))):
            self._clock.worn(now, self._wear.worn)

    def _draw(self, face: Face, now: int) -> None:
        try:
            self._screen.draw(face)
        except ScreenError as error:
            self._lose_screen(error, now)

    def _reread(self, now: int) -> int | None:
        if self._pins is None:
            return None
        return self._pins.look_again(
            self._clocks.now(),
            lambda error: self._clock.give_up("looking at the buttons again", error, now),
            lambda lost: self._clock.note(now, edges_lost=str(lost)),
        )

    def _wait(self, wake: int | None) -> list[Input]:
        try:
            return self._deadlines.wait(wake)
        except ScreenError as error:
            self._lose_screen(error, self._clocks.now())
        return self.inbox.wait(0)

    def _unread(self) -> list[Input]:
        """Return what the pins' thread is behind with: after a stall this one may wake first, and edges from before must count before the time passes."""
        items, until = list[Input](), self._clocks.now() + UNREAD_NS
        while self._pins is not None and self._pins.behind and self._clocks.now() < until:
            items += self.inbox.wait(LOOK_S)
        return items + self.inbox.wait(0)

    def _handle(self, items: list[Input], now: int) -> bool:
        """Apply the inputs in the order of their instants, and let the time pass to ``now`` (ns); False: quit."""
        self._clock.awake(now)
        pressed = self._pressed(now)
        edges = sorted((item for item in items if isinstance(item, Edge)), key=lambda edge: edge.at)
        self._wear.take(edges)
        edges += self._fingers.edges(pressed, now)
        edges.sort(key=lambda edge: edge.at)
        for edge in edges if self._steady is None else self._steady.take(edges, now):
            self._clock.edge(edge.button, edge.at, down=edge.down)
            if self._speech is not None and edge.down and edge.button in ASKING:
                self._speech.ask(ASKING[edge.button])
        for hit in pressed:
            if isinstance(hit, RowHit):
                self._clock.hit_row(hit.row, now)
            elif isinstance(hit, DigitHit):
                self._clock.hit_digit(hit.digit, now)
        for item in items:
            self._take_news(item, now)
        if any(isinstance(item, Quit) for item in items):
            return False
        return not (any(isinstance(each, Quit) for each in pressed) and self._may_leave(now))

    def _take_news(self, item: Input, now: int) -> None:
        match item:
            case Progress(trouble):
                if trouble is None:
                    get_logger().info("the journal is written again, and whole")
                else:
                    get_logger().warning("the journal cannot be written", why=str(trouble))
                self._clock.notices.writing(trouble)
            case Power(low):
                self._clock.power(now, low=low)
            case Battery():
                self._clock.battery(now, item)
            case LedNews():
                self._clock.display(now, item)
            case ReceiptCode():
                self._clock.receipt(item)
            case HeadSigned():
                self._clock.signed(now, item)
            case Examined(findings):
                self._clock.examined(findings, now)
            case _ if self._hall is not None and not isinstance(item, Edge | Quit):
                self._take_up(self._hall.receive(item, now, lambda enabled: self._signals.try_buzzer(self._pins, enabled=enabled)))

    def _take_up(self, settings: Mapping[str, SettingValue]) -> None:
        if "language" in settings:
            self._screen.warm(self._clock.rehearsal(self._clocks.now()))
            if self._speech is not None:
                self._speech.prepare(self._clock.table)
        if LED_BRIGHTNESS in settings:
            self._displays.dim(int(settings[LED_BRIGHTNESS]))

    def _pressed(self, now: int) -> list[ScreenInput]:
        try:
            return self._screen.poll()
        except ScreenError as error:
            self._lose_screen(error, now)
            # If the screen was the only input, the game cannot go on.
            return [] if self.plays_without_a_screen else [Quit(), Quit()]

    def _may_leave(self, now: int) -> bool:
        """Return whether to quit: one stray key must not end a game, running or stopped."""
        notices = self._clock.notices
        if not self._clock.in_progress(now) or notices.leaving_until is not None or isinstance(self._screen, BlankScreen):
            return True
        notices.leaving_until = now + CONFIRM_LEAVE_NS
        return False

    def _switch_off(self, power_off: PowerOff, now: int) -> None:
        """Request power off, once: the power-off unit stops this program by a signal, then the machine."""
        self._power_off = None
        notices = self._clock.notices
        try:
            power_off.ask()
        except PowerOffError as error:
            notices.stays_on = Diagnosis.of(error)
        else:
            notices.switching_off = True
        self._clock.note(now, power_off=str(notices.stays_on or "asked for in the menu"))
        get_logger().warning("power off was requested in the menu", found=str(notices.stays_on or "request written"))

    def _lose_screen(self, error: ScreenError, now: int) -> None:
        lost, self._screen = self._screen, BlankScreen()
        lost.close()
        self._deadlines.sleep_in(self._screen)
        self._clock.lose_screen(error, now)
