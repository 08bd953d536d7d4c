"""The loop: sleep until somebody does something or the face changes by itself; then apply, keep, draw.

The main thread alone touches the table and the screen. What is not the game itself (a screen, a lamp) may fail: it is given up and said, and the game goes on.
"""

from __future__ import annotations

from typing import Final

from appliance.checks.voltage import Power
from appliance.clocks import Clocks
from appliance.errors import Diagnosis, PowerOffError, ScreenError, TileclockError
from appliance.inbox import Inbox
from appliance.log import get_logger
from appliance.service.poweroff import PowerOff
from appliance.service.supervisor import NO_SUPERVISOR, Supervisor
from firmware.face.value import Face, WindowFace
from firmware.journal.writer import Progress
from firmware.screens.blank import BlankScreen
from firmware.screens.keys import Input as Pressed
from firmware.screens.keys import Quit
from firmware.screens.screen import Screen
from firmware.shell.clock import TableClock
from firmware.shell.displays import Displays, LedNews
from firmware.shell.fingers import Fingers, quits
from firmware.shell.inputs import Input
from firmware.shell.pins import Pins
from hardware.buttons.edge import Edge
from hardware.pins.retrying import RetryingPins
from rules.duration import NS

POLL_NS: Final = NS // 100
"""A screen that cannot be slept in, and is all there is to press, is looked at so often."""
ONCE_MORE_NS: Final = 5 * NS
"""While a clock runs, leaving has to be asked for twice within this time."""


class Loop:
    """Plays the table clock on a screen and, where there are any, pins."""

    def __init__(  # noqa: PLR0913 - each is one thing that a clock is put together from
        self,
        clock: TableClock,
        screen: Screen,
        pins: Pins | None,
        inbox: Inbox[Input],
        clocks: Clocks,
        *,
        supervisor: Supervisor = NO_SUPERVISOR,
        displays: Displays | None = None,
        awaited: RetryingPins[Pins] | None = None,
    ) -> None:
        self.inbox = inbox
        self._clock = clock
        self._screen = screen
        self._pins = pins
        self._awaited = awaited
        self._displays = displays
        self._lamps = self._rereads = True
        self._lost = 0
        self._clocks = clocks
        self._heartbeat, self._power_off = supervisor.heartbeat, supervisor.power_off
        self._fingers = Fingers()
        self._window: WindowFace | None = None
        self._asked_at: int | None = None
        inbox.wake_on_put(screen)

    @property
    def plays_without_a_screen(self) -> bool:
        """There are pins: losing the screen ends nothing."""
        return self._pins is not None

    @property
    def outlives_session(self) -> bool:
        """There are pins, or will be: losing the session ends nothing."""
        return self._pins is not None or self._awaited is not None

    def leave(self) -> None:
        """Ask ``run`` to end, from any thread: nobody is asked twice."""
        self.inbox.put(Quit())

    def begin(self) -> None:
        """Show the first picture: only then it can be said that the clock is there."""
        self._show(self._clocks.now())

    def run(self) -> None:
        """Play until somebody quits."""
        self._screen.warm()
        going = True
        while going:
            wake = self._show(self._clocks.now())
            going = self._take(self._wait(wake))
        self._clock.stop(self._clocks.now())

    def _show(self, now: int) -> int | None:
        """Bring everything to ``now``, show it, and return when to come again (ns, None: when somebody does something)."""
        tried = self._try_pins(now)
        self._clock.tick(now)
        if self._clock.table.power_off and self._power_off is not None:
            self._switch_off(self._power_off, now)
        if self._asked_at is not None and now >= self._asked_at + ONCE_MORE_NS:
            self._ask_to_leave(None)
        face = self._clock.face(now)
        self._draw(face, now)
        if self._displays is not None:
            self._displays.show(face)
        self._signal(face, now)
        instants = [self._clock.mark(now), self._clock.next_wake(now), *self._fingers.coming, self._reread(now), tried]
        if self._asked_at is not None:
            instants.append(self._asked_at + ONCE_MORE_NS)
        if self._heartbeat is not None:
            instants.append(self._heartbeat.beat(now))
        if self._pins is None and not self._screen.blocks and not isinstance(self._screen, BlankScreen):
            instants.append(now + POLL_NS)
        wake = min((instant for instant in instants if instant is not None), default=None)
        self._clock.asleep(now, wake)
        return wake

    def _try_pins(self, now: int) -> int | None:
        """Have pins that cannot be had tried again, and take them once they are there; return when to try next."""
        if self._awaited is None:
            return None
        self._pins = self._awaited.retry(now)
        if self._pins is None:
            if self._awaited.why is not None:
                self._clock.no_buttons(now, self._awaited.why)
            return self._awaited.due
        self._awaited = None
        self._clock.buttons(self._clocks.now(), self._pins.down())
        return None

    def _draw(self, face: Face, now: int) -> None:
        try:
            self._screen.draw(face)
        except ScreenError as error:
            self._lose_screen(error, now)

    def _signal(self, face: Face, now: int) -> None:
        """Light the lamp of who runs, and sound once for each window that has expired."""
        before, self._window = self._window, face.window
        if self._pins is None or not self._lamps:
            return
        try:
            self._pins.light(next((side for side, half in face.halves.items() if half.runs), None))
            if _has_expired(face.window) and not (_has_expired(before) and before == face.window):
                self._pins.sound()
        except TileclockError as error:
            self._lamps = False
            self._give_up("lamps", error, now)

    def _reread(self, now: int) -> int | None:
        """Have the lines looked at once they are quiet, and keep how many edges are known to have been lost; return when to look again."""
        if self._pins is None or not self._rereads:
            return None
        try:
            again = self._pins.reread(self._clocks.now())
        except TileclockError as error:
            self._rereads = False
            self._give_up("looking at the buttons again", error, now)
            return None
        if again is None and self._pins.lost != self._lost:
            self._lost = self._pins.lost
            self._clock.note(now, edges_lost=str(self._lost))
            get_logger().warning("edges of the buttons were lost: their lines are read again", lost=self._lost)
        return again

    def _wait(self, wake: int | None) -> list[Input]:
        left_ns = None if wake is None else max(0, wake - self._clocks.now())
        try:
            return self.inbox.sleep(self._screen, left_ns)
        except ScreenError as error:
            self._lose_screen(error, self._clocks.now())
        return self.inbox.wait(0)

    def _take(self, items: list[Input]) -> bool:
        """Apply the inputs in the order of their instants; False: somebody quits."""
        now = self._clocks.now()
        self._clock.awake(now)
        pressed = self._pressed(now)
        edges = [item for item in items if isinstance(item, Edge)] + self._fingers.edges(pressed, now)
        for edge in sorted(edges, key=lambda edge: edge.at):
            self._clock.edge(edge.button, edge.at, down=edge.down)
        for item in items:
            if isinstance(item, Progress):
                get_logger().warning("journal", trouble=str(item.trouble or "over: everything is written again"))
                self._clock.progress(item.trouble)
            elif isinstance(item, Power):
                self._clock.power(now, low=item.low)
            elif isinstance(item, LedNews):
                self._clock.display(now, item)
        if any(isinstance(item, Quit) for item in items):
            return False
        return not (quits(pressed) and self._may_leave(now))

    def _pressed(self, now: int) -> list[Pressed]:
        try:
            return self._screen.poll()
        except ScreenError as error:
            self._lose_screen(error, now)
            # Where the screen was all there was to press, nobody can play on.
            return [] if self.plays_without_a_screen else [Quit(), Quit()]

    def _may_leave(self, now: int) -> bool:
        """One stray key must not end a game in which somebody's time counts."""
        if not self._clock.counts(now) or self._asked_at is not None or isinstance(self._screen, BlankScreen):
            return True
        self._ask_to_leave(now)
        return False

    def _switch_off(self, power_off: PowerOff, now: int) -> None:
        """Leave the wish, once: whoever looks for it ends this program, by a signal, and then the machine."""
        self._power_off = None
        notices = self._clock.notices
        try:
            power_off.ask()
        except PowerOffError as error:
            notices.stays_on = Diagnosis.of(error)
        else:
            notices.switching_off = True
        self._clock.note(now, power_off=str(notices.stays_on or "asked for in the menu"))
        get_logger().warning("power off asked for in the menu", found=str(notices.stays_on or "the wish is left"))

    def _ask_to_leave(self, at: int | None) -> None:
        self._asked_at = at
        self._clock.notices.leaving = at is not None

    def _lose_screen(self, error: ScreenError, now: int) -> None:
        lost, self._screen = self._screen, BlankScreen()
        lost.close()
        self.inbox.wake_on_put(self._screen)
        self._give_up("screen", error, now)

    def _give_up(self, what: str, error: Exception, now: int) -> None:
        get_logger().error("given up, the game goes on", what=what, why=str(error))
        self._clock.note(now, given_up=what, why=str(error))


def _has_expired(window: WindowFace | None) -> bool:
    return window is not None and window.expired
