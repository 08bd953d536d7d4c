"""The loop: sleep until somebody does something or the page changes by itself; feed the pure station, do what it asks, draw.

The main thread alone touches station, screen, log and lexicon. A lamp or a printer may fail: it is given up and said. A lost display ends the program with a
sentence, and systemd starts it again: a station that nobody sees adjudicates nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from appliance.checks.voltage import Power
from appliance.clocks import Clocks
from appliance.inbox import Inbox
from appliance.service.startup import startup_done
from appliance.service.supervisor import NO_SUPERVISOR, Supervisor
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
"""A screen that cannot be slept in is looked at so often."""
AGAIN_NS: Final = 10 * NS
"""Where the log cannot be written, and nobody is in a challenge, it is tried again so often."""


@dataclass(frozen=True, slots=True)
class Machine:
    """What the station runs on."""

    clocks: Clocks
    supervisor: Supervisor = NO_SUPERVISOR
    """Who watches over it, and switches it off."""


class Loop:
    """Runs the station.

    Args:
        station: as it begins.
        doing: does what the station asks.
        front: what players see.
        inbox: where all comes in that is no touch and no key.
        machine: clocks and watchdog.
    """

    def __init__(self, station: Station, doing: EffectHandler, front: Front, inbox: Inbox[Input], machine: Machine) -> None:
        self.inbox = inbox
        self.station = station
        self.why = "the program ended"
        """Why it ended, once it has."""
        self.page: Page | None = None
        """What was shown last."""
        self._doing = doing
        self._screen, self._face, self._panel, self._awaited = front.screen, front.face, front.panel, front.awaited
        self._clocks, self._heartbeat = machine.clocks, machine.supervisor.heartbeat
        self._going = True
        self._busy = False
        self._tried = self._clocks.now()
        inbox.wake_on_put(self._screen)
        self._hear(() if self._panel is None else self._panel.begun())

    def run(self) -> None:
        """Turn until somebody quits.

        Raises:
            ScreenError: the display is lost.
        """
        # Only now: whoever waits for the station sees its first page.
        self._screen.warm(self._face.rehearsal(self.station.flow.standing))
        # Passes of the collector over what stays would cost a verdict some pictures' time.
        startup_done()
        while self._going:
            wake = self._show()
            self._take(self._wait(wake))

    def turn(self) -> None:
        """Take all that is there without waiting, one by one, and show what came of it: the loop of a script that has time in its own hand.

        Raises:
            ScreenError: the display is lost.
        """
        self._show()
        self._busy = True
        while self._busy:
            self._take(self.inbox.wait(0))
            self._show()

    def end(self) -> None:
        """Bring the station to its end, by whatever it came: what is in progress is settled or given up, what errands came back with is kept, and the log hears why.

        Nothing is drawn: there may be no display any more.
        """
        self._came(end(self.station, self._clocks.now(), self.why))
        self._doing.desk.errands.close()
        for item in self.inbox.wait(0):
            if isinstance(item, Reported):
                self._keep(item)
        self._doing.record.stop(self.why)

    def _show(self) -> int | None:
        """Bring everything to now, show it, and return when to come again (ns; None: when somebody does something)."""
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
        """When there is something to do with nobody doing anything."""
        yield wake_at(self.station, now)
        if self._awaited is not None:
            yield self._awaited.due
        if self._panel is not None:
            yield from self._panel.wake_at(self.station, now)
            # Read at this moment, and not at the turn's beginning: an edge may have come since.
            yield self._panel.reread(self._clocks.now())
        if self._heartbeat is not None:
            yield self._heartbeat.beat(now)
        if self._doing.record.trouble is not None and not self.station.flow.in_progress:
            yield self._tried + AGAIN_NS
        if not self._screen.blocks:
            yield now + POLL_NS

    def _try_pins(self, now: int) -> None:
        """Have pins that cannot be had tried again, and take the board once they are there."""
        if self._awaited is None:
            return
        pins = self._awaited.retry(now)
        self._stand(self._doing.pins(None if pins else self._awaited.why))
        if pins is not None:
            self._awaited, self._panel = None, ButtonPanel(pins, self._clocks.now())
            self._hear(self._panel.begun())

    def _wait(self, wake: int | None) -> list[Input]:
        if self._busy:
            # The screen gives its inputs one by one, and there may be another.
            return self.inbox.wait(0)
        return self.inbox.sleep(self._screen, None if wake is None else max(0, wake - self._clocks.now()))

    def _take(self, items: Iterable[Input]) -> None:
        pressed = self._screen.poll()
        self._busy = bool(pressed)
        for said in pressed:
            if isinstance(said, Said):
                # Just read: its instant is now, by the loop's own clock.
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
        """Hear what has no instant of its own."""
        for event in events:
            self._came(apply(self.station, event, self._clocks.now()))

    def _hear(self, timed: Iterable[Timed]) -> None:
        for event, at in timed:
            self._came(apply(self.station, event, at))

    def _came(self, came: tuple[Station, tuple[Effect, ...]]) -> None:
        """Take the station as it is now, and do what it asks; each answer is heard before anything else happens."""
        before, (self.station, effects) = self.station, came
        for effect in effects:
            if isinstance(effect, Leave):
                self._leave("by the director")
            else:
                self._feed(*self._doing.do(effect))
        if self.station is not before:
            self._doing.books.keep(self._needed())

    def _needed(self) -> set[str]:
        """The hashes of the lexicons that may still be asked."""
        flow, coming, wanted = self.station.flow.standing, self.station.coming, self._doing.desk.ground.standing
        names = (flow.lexicon, None if coming is None else coming.lexicon, wanted.lexicon)
        return {name.sha256 for name in names if name is not None}

    def _watch_log(self, now: int) -> None:
        """Tell the next players whether their verdicts can be kept; those in a challenge are told by the flow."""
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
