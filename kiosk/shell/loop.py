"""The loop: sleep until an input comes or the page changes by itself; feed the pure station, carry out its effects, draw.

Only the main thread touches station, screen, log and lexicon. A lamp or a printer may fail: it is disabled and reported. A lost display ends the
program with an error, and systemd restarts it: a station that players cannot see must not adjudicate.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from appliance.checks.voltage import Power
from appliance.clocks import Clocks
from appliance.inbox import Inbox
from appliance.service.startup import begun
from appliance.service.supervisor import NOBODY, Supervisor
from hardware.buttons.edge import Edge
from kiosk.challenge.context import Matter
from kiosk.challenge.events import Stand
from kiosk.director.effects import Leave
from kiosk.effects import Effect
from kiosk.events import Event
from kiosk.face.page import Page
from kiosk.lexicons.librarian import Fetched
from kiosk.screens.inputs import Said
from kiosk.shell.effect_handler import EffectHandler
from kiosk.shell.front import Front
from kiosk.shell.inputs import Input, Quit, Reported
from kiosk.shell.machine import of_power
from kiosk.shell.panel import ButtonPanel, Timed
from kiosk.station.apply import apply, end
from kiosk.station.timeouts import tick
from kiosk.station.value import Station
from kiosk.station.waking import wake_at
from rules.duration import NS

POLL_NS: Final = NS // 100
"""The polling interval (ns) of a screen that cannot wait for input."""
AGAIN_NS: Final = 10 * NS
"""The interval (ns) of attempts to write the log after a failure, while no challenge is in progress."""


@dataclass(frozen=True, slots=True)
class Machine:
    """The machine that the station runs on."""

    clocks: Clocks
    supervisor: Supervisor = NOBODY
    """Watches the program, and switches the machine off."""


class Loop:
    """Runs the station.

    Args:
        station: its initial state.
        doing: carries out its effects.
        front: the players' side.
        inbox: all inputs except touches and keys.
        machine: clocks and supervisor.
    """

    def __init__(self, station: Station, doing: EffectHandler, front: Front, inbox: Inbox[Input], machine: Machine) -> None:
        self.inbox = inbox
        self.station = station
        self.why = "the program ended"
        """Why it ended."""
        self.page: Page | None = None
        """The last page shown."""
        self._doing = doing
        self._screen, self._face, self._panel, self._awaited = front.screen, front.face, front.panel, front.awaited
        self._clocks, self._heartbeat = machine.clocks, machine.supervisor.heartbeat
        self._going = True
        self._busy = False
        self._tried = self._clocks.now()
        inbox.wakes(self._screen)
        self._hear(() if self._panel is None else self._panel.begun())

    def run(self) -> None:
        """Run until a request to quit.

        Raises:
            ScreenError: the display is lost.
        """
        # Not before: the first page is already on the screen.
        self._screen.warm(self._face.rehearsal(self.station.flow.standing))
        # From here on, garbage collection of permanent objects would delay a verdict by several frames.
        begun()
        while self._going:
            wake = self._show()
            self._take(self._wait(wake))

    def turn(self) -> None:
        """Process all inputs without waiting, one by one, and show the result: for a script that controls time.

        Raises:
            ScreenError: the display is lost.
        """
        self._show()
        self._busy = True
        while self._busy:
            self._take(self.inbox.wait(0))
            self._show()

    def end(self) -> None:
        """End the station: settle or abort what is in progress, log the results of errands, and log why it ended.

        Nothing is drawn, because there may be no display any more.
        """
        self._came(end(self.station, self._clocks.now(), self.why))
        self._doing.desk.errands.close()
        for item in self.inbox.wait(0):
            if isinstance(item, Reported):
                self._keep(item)
        self._doing.record.stop(self.why)

    def _show(self) -> int | None:
        """Advance everything to now, show it, and return the next wake (ns; None: on input)."""
        now = self._clocks.now()
        self._try_pins(now)
        if self._panel is not None:
            self._hear(self._panel.tick(now))
            self._stand(self._doing.desk.ground.advise(self._panel.stuck(now), Matter.BUTTON))
        self._came(tick(self.station, now))
        self._watch_log(now)
        self.page = self._face(self.station, now)
        self._screen.draw(self.page)
        if self._panel is not None:
            self._panel.show(self.station, now)
        return min((instant for instant in self._instants(now) if instant is not None), default=None)

    def _instants(self, now: int) -> Iterator[int | None]:
        """Yield the instants with work to do if no input comes first."""
        yield wake_at(self.station, now)
        if self._awaited is not None:
            yield self._awaited.due
        if self._panel is not None:
            yield from self._panel.wake_at(self.station, now)
            # Read now rather than at the turn's start: an edge may have come since.
            yield self._panel.reread(self._clocks.now())
        if self._heartbeat is not None:
            yield self._heartbeat.beat(now)
        if self._doing.record.trouble is not None and not self.station.flow.in_progress:
            yield self._tried + AGAIN_NS
        if not self._screen.blocks:
            yield now + POLL_NS

    def _try_pins(self, now: int) -> None:
        """Retry unavailable pins, and start using the board once they open."""
        if self._awaited is None:
            return
        pins = self._awaited.again(now)
        self._stand(self._doing.pins(None if pins else self._awaited.why))
        if pins is not None:
            self._awaited, self._panel = None, ButtonPanel(pins, self._clocks.now())
            self._hear(self._panel.begun())

    def _wait(self, wake: int | None) -> list[Input]:
        if self._busy:
            # The screen returns its inputs one by one, and there may be more.
            return self.inbox.wait(0)
        return self.inbox.sleep(self._screen, None if wake is None else max(0, wake - self._clocks.now()))

    def _take(self, items: Iterable[Input]) -> None:
        pressed = self._screen.poll()
        self._busy = bool(pressed)
        for said in pressed:
            if isinstance(said, Said):
                # Just read, so its instant is now.
                self._feed(said.event)
            else:
                self._leave("the window was closed")
        for item in items:
            match item:
                case Quit(why):
                    self._leave(why)
                case Edge():
                    self._hear(() if self._panel is None else self._panel.edge(item))
                case Fetched():
                    self._feed(*self._doing.desk.fetched(item))
                case Reported():
                    self._keep(item)
                    self._feed(item.event)
                case Power():
                    self._doing.record.keep(of_power(item))
                    self._stand(self._doing.desk.ground.power(item))
                case _:
                    self._feed(item)

    def _keep(self, reported: Reported) -> None:
        if reported.entry is not None:
            self._doing.record.keep(reported.entry)

    def _leave(self, why: str) -> None:
        self._going, self.why = False, why

    def _feed(self, *events: Event) -> None:
        """Apply events without an instant of their own."""
        for event in events:
            self._came(apply(self.station, event, self._clocks.now()))

    def _hear(self, timed: Iterable[Timed]) -> None:
        for event, at in timed:
            self._came(apply(self.station, event, at))

    def _came(self, came: tuple[Station, tuple[Effect, ...]]) -> None:
        """Set the station and carry out its effects; each answer is applied before any other event."""
        before, (self.station, effects) = self.station, came
        for effect in effects:
            if isinstance(effect, Leave):
                self._leave("by the director")
            else:
                self._feed(*self._doing.do(effect))
        if self.station is not before:
            self._doing.books.keep(self._needed())

    def _needed(self) -> set[str]:
        """Return the hashes of the lexicons that may still be needed."""
        flow, coming, wanted = self.station.flow.standing, self.station.coming, self._doing.desk.ground.standing
        names = (flow.lexicon, None if coming is None else coming.lexicon, wanted.lexicon)
        return {name.sha256 for name in names if name is not None}

    def _watch_log(self, now: int) -> None:
        """Update whether verdicts can be logged, for the next players; during a challenge the flow itself reports it."""
        record, flow = self._doing.record, self.station.flow
        if flow.in_progress:
            return
        if record.trouble is not None and now >= self._tried + AGAIN_NS:
            self._tried = now
            record.try_again()
        ground = self._doing.desk.ground
        stands = (ground.log(None if flow.standing.limits.judge_unlogged else record.trouble), ground.advise(record.told))
        self._stand(*stands)

    def _stand(self, *stands: Stand | None) -> None:
        self._feed(*(stand for stand in stands if stand is not None))
