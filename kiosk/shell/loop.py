"""The loop: sleep until an input comes or the page changes by itself; feed the pure station, carry out its effects, draw, light the board's lamps.

Only the main thread touches station, screen, log and lexicon. A lamp or a printer may fail: it is disabled and reported, and the screen goes on. A lost display
ends the program with an error, and systemd restarts it: a station that players cannot see must not adjudicate.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Final, TypeAlias

from appliance.clocks import Clocks
from appliance.display import screen
from appliance.log import get_logger
from appliance.power import Power
from appliance.process import startup_done
from appliance.program import Deadlines, Heartbeat, Inbox
from faults.errors import Phrase, TileclockError
from hardware.buttons.board_pins import BoardPins, Edge
from hardware.pins.opening import RetryingPins
from kiosk.context import AdviceTopic
from kiosk.events import Adjudicate, CloseAsked, Effect, Event, KeyTurned, Leave, SetContext
from kiosk.face.page import Page
from kiosk.face.view import PageMaker
from kiosk.lexicons.loading import Fetched
from kiosk.shell.effect_handler import EffectHandler
from kiosk.shell.threads import EndProgram, Input, Reported
from kiosk.station import (
    BUTTON,
    Station,
    Timed,
    apply,
    end,
    lamps_next_due,
    lit,
    next_due,
    tick,
)
from records.entry import Entry, Kind, Way
from rules import contact as contacts
from rules.contact import Began, Contact, Ended
from rules.duration import NS

if TYPE_CHECKING:
    from kiosk.shell.hall import HallStation
    from kiosk.shell.speech import Speech


_STUCK: Final = Phrase(
    "The adjudication button has been down for a minute: free it, or look for a short in its wires. Screen and keyboard adjudicate meanwhile."
)


_KEY: Final = "key"
_STUCK_NS: Final = 60 * NS


class ButtonPanel:
    """A board with button, key switch and lamps.

    A press of the adjudication button counts once from its first edge, despite bounce and however long it is held; a spike does not count. A button that is
    down at the start, at ``now`` (ns), is stuck or held: it does not count until released. A key switch that is on then counts as on at once.
    """

    def __init__(self, pins: BoardPins, now: int) -> None:
        self._pins, self._lit = pins, True
        down = pins.down()
        on = _KEY in down
        key = Contact(down=True, changed_at=now, began_at=now, pressed=True) if on else Contact()
        self._contacts = {BUTTON: Contact(down=BUTTON in down, changed_at=now), _KEY: key}
        self.startup_events: list[Timed] = [(KeyTurned(on=True), now)] if on else []

    def edge(self, edge: Edge) -> list[Timed]:
        """Return what has turned until this edge. KeyError for a button that a station's board lacks."""
        turned = self.tick(edge.at)
        self._contacts[edge.button] = contacts.edge(self._contacts[edge.button], edge.at, down=edge.down)
        return turned

    def tick(self, now: int) -> list[Timed]:
        turned: list[Timed] = []
        while (ripe := min(self._due(), default=None)) is not None and ripe[0] <= now:
            name = ripe[1]
            self._contacts[name], signal = contacts.ripen(self._contacts[name])
            if isinstance(signal, Began):
                turned.append((KeyTurned(on=True) if name == _KEY else Adjudicate(Way.BUTTON), signal.at))
            elif isinstance(signal, Ended) and name == _KEY:
                turned.append((KeyTurned(on=False), signal.released_at))
        return turned

    def _due(self) -> list[tuple[int, str]]:
        return [(contact.due, name) for name, contact in self._contacts.items() if contact.due is not None]

    def next_due(self, station: Station, now: int) -> list[int | None]:
        """Return the next instants after ``now`` (ns) at which a contact settles or a lamp changes."""
        button = self._contacts[BUTTON]
        stuck = button.changed_at + _STUCK_NS if button.down and not self.stuck(now) else None
        return [*(due for due, _ in self._due()), lamps_next_due(station, now), stuck]

    def stuck(self, now: int) -> Phrase | None:
        button = self._contacts[BUTTON]
        return _STUCK if button.down and now >= button.changed_at + _STUCK_NS else None

    def reread(self, now: int) -> int | None:
        """Reread the lines at ``now`` (ns) once they are quiet, so that a press with lost edges still counts; return when to reread."""
        return self._pins.look_again(now, lambda error: get_logger().error("the buttons are no longer read again", why=str(error)))

    def show(self, station: Station, now: int) -> None:
        if not self._lit:
            return
        try:
            self._pins.lamps.light(lit(station, now))
        except TileclockError as error:
            # Darken all lamps: the next players would take a lit one for their verdict.
            self._lit = False
            self._pins.lamps.close()
            get_logger().error("the lamps are given up", why=str(error))


Screen: TypeAlias = screen.Screen[Page, Event]


RETRY_NS: Final = 10 * NS
"""The interval (ns) of attempts to write the log after a failure, while no challenge is in progress."""


class Loop:
    """Runs the station; ``inbox`` takes all inputs except touches and keys."""

    def __init__(  # noqa: PLR0913, PLR0917 - one parameter for each part of a station
        self,
        station: Station,
        handler: EffectHandler,
        screen: Screen,
        face: PageMaker,
        inbox: Inbox[Input],
        clocks: Clocks,
        *,
        panel: ButtonPanel | None = None,
        retrying_pins: RetryingPins[BoardPins] | None = None,
        hall: HallStation | None = None,
        speech: Speech | None = None,
        heartbeat: Heartbeat | None = None,
    ) -> None:
        self.inbox, self.station, self.why = inbox, station, "the program ended"
        self.page: Page | None = None
        self._handler = handler
        handler.conditions.newest = lambda: self.station.newest
        self._hall, self._speech = hall, speech
        self._screen, self._face, self._panel, self._retrying_pins = screen, face, panel, retrying_pins
        self._clocks, self._running, self._busy = clocks, True, False
        self._deadlines = Deadlines(inbox, self._screen, clocks, heartbeat)
        self._tried = clocks.now()
        self._feed_timed(() if self._panel is None else self._panel.startup_events)

    @property
    def outlives_session(self) -> bool:
        """A station needs its screen."""
        return False

    @property
    def ended(self) -> Mapping[str, str]:
        return {"why": self.why}

    def begin(self) -> None:
        """Show the first page, then open the pins. All else of a turn waits: a start is short."""
        self._show()
        self._try_pins(self._clocks.now())

    def leave(self) -> None:
        """Make ``run`` end, from any thread."""
        self.inbox.put(EndProgram("by a signal"))

    def run(self) -> None:
        """Run until a request to quit. Raises ScreenError: the display is lost."""
        # Not before: the first page is already on the screen.
        self._screen.warm(self._face.rehearsal(self.station.flow.context))
        # From here on, garbage collection of permanent objects would delay a verdict by several frames.
        startup_done()
        if self._speech is not None:
            self._speech.open(self.station)
        self.begin_hall()
        while self._running:
            self._try_pins(self._clocks.now())
            wake = self._show()
            # While busy: the screen returns its inputs one by one, and there may be more.
            self._handle(self.inbox.wait(0) if self._busy else self._deadlines.wait(wake))

    def begin_hall(self) -> None:
        """Wait for the hall's link from now on: after the first page, since nothing of the hall may delay it. ``run`` does this itself."""
        if self._hall is not None:
            self._hall.begin()

    def turn(self) -> None:
        """Process all inputs without waiting, one by one, and show the result: for a script that controls time. Raises ScreenError: the display is lost."""
        self._try_pins(self._clocks.now())
        self._show()
        self._busy = True
        while self._busy:
            self._handle(self.inbox.wait(0))
            self._show()

    def end(self) -> None:
        """End the station: settle or abort what is in progress, log the results of errands, and log why it ended.

        Nothing is drawn, because there may be no display any more.
        """
        self._advance(end(self.station, self._clocks.now(), self.why))
        self._handler.errands.close()
        for item in self.inbox.wait(0):
            if isinstance(item, Reported):
                self._write_entry(item)
        stopped = self._handler.record.stop(self.why)
        if self._hall is not None and self._hall.serves and stopped is not None:
            self._deadlines.wait_for_signature(lambda item: isinstance(item, Reported) and self._write_entry(item) == stopped)

    def _show(self) -> int | None:
        """Advance everything to now, show it, and return the next wake (ns; None: on input)."""
        now = self._clocks.now()
        if self._panel is not None:
            self._feed_timed(self._panel.tick(now))
            self._set_context(self._handler.conditions.advise(self._panel.stuck(now), AdviceTopic.BUTTON))
        self._advance(tick(self.station, now))
        self._watch_log(now)
        self.page = self._face(self.station, now)
        self._screen.draw(self.page)
        if self._speech is not None:
            self._speech.show(self.station, self.page)
        if self._panel is not None:
            self._panel.show(self.station, now)
        if self._hall is not None:
            self._hall.show(self.station, now)
        return self._deadlines.next_due(self._instants(now), now)

    def _instants(self, now: int) -> Iterator[int | None]:
        yield next_due(self.station, now)
        if self._hall is not None:
            yield self._hall.line.stale_at
        if self._retrying_pins is not None:
            yield self._retrying_pins.due
        if self._panel is not None:
            yield from self._panel.next_due(self.station, now)
            # Read now rather than at the turn's start: an edge may have come since.
            yield self._panel.reread(self._clocks.now())
        if self._handler.record.trouble is not None and not self.station.flow.in_progress:
            yield self._tried + RETRY_NS

    def _try_pins(self, now: int) -> None:
        if self._retrying_pins is None:
            return
        pins = self._retrying_pins.retry(now)
        self._set_context(self._handler.pins(None if pins else self._retrying_pins.why))
        if pins is not None:
            self._retrying_pins, self._panel = None, ButtonPanel(pins, self._clocks.now())
            self._feed_timed(self._panel.startup_events)

    def _handle(self, items: Iterable[Input]) -> None:
        pressed = self._screen.poll()
        self._busy = bool(pressed)
        for event in pressed:
            if isinstance(event, CloseAsked) and self._may_close():
                self._leave("the window was closed")
            else:
                # Just read, so its instant is now.
                self._feed(event)
        for item in items:
            self._take_item(item)

    def _take_item(self, item: Input) -> None:
        match item:
            case EndProgram(why):
                self._leave(why)
            case Edge():
                self._feed_timed(() if self._panel is None else self._panel.edge(item))
            case Fetched():
                self._feed(*self._handler.fetched(item))
            case Reported():
                self._write_entry(item)
                self._feed(*([] if item.event is None else [item.event]))
            case Power():
                said = "the voltage is too low" if item.low else "the voltage is right again"
                self._handler.record.write(Entry(Kind.SELF_TEST, why=said))
                self._set_context(self._handler.conditions.power(item))
            case _:
                self._feed(item)

    def _may_close(self) -> bool:
        """Return whether to close the window: one stray click must not end a challenge."""
        until = self.station.close_asked_until
        return not self.station.in_progress or (until is not None and self._clocks.now() < until)

    def _write_entry(self, reported: Reported) -> int | None:
        """Write the row of what another thread has done, if any; return the row whose head it has signed."""
        if reported.entry is not None:
            self._handler.record.write(reported.entry)
        return reported.row

    def _leave(self, why: str) -> None:
        self._running, self.why = False, why

    def _feed(self, *events: Event) -> None:
        for event in events:
            self._advance(apply(self.station, event, self._clocks.now()))

    def _feed_timed(self, timed: Iterable[Timed]) -> None:
        for event, at in timed:
            self._advance(apply(self.station, event, at))

    def _advance(self, result: tuple[Station, tuple[Effect, ...]]) -> None:
        """Set the station and carry out its effects; each answer is applied before any other event."""
        before, (self.station, effects) = self.station, result
        for effect in effects:
            if isinstance(effect, Leave):
                self._leave("by the director")
            else:
                self._feed(*self._handler.do(effect))
        if self.station is not before:
            self._handler.open_lexicons.retain(self._needed())

    def _needed(self) -> set[str]:
        flow, newest = self.station.flow, self.station.newest
        of_divisions = (division.by for division in newest.divisions)
        # A repeat is judged by the list of its first try.
        of_repeats = (each.by for each in flow.open)
        wanted = (flow.context.by, flow.context.own, newest.by, *of_divisions, *of_repeats)
        return {by.lexicon.sha256 for by in wanted if by is not None and by.lexicon is not None}

    def _watch_log(self, now: int) -> None:
        """Update whether verdicts can be logged, for the next players; during a challenge the flow itself reports it."""
        record, flow = self._handler.record, self.station.flow
        if flow.in_progress:
            return
        if record.trouble is not None and now >= self._tried + RETRY_NS:
            self._tried = now
            record.try_again()
        conditions = self._handler.conditions
        self._set_context(conditions.log(None if flow.context.limits.judge_unlogged else record.trouble))
        self._set_context(conditions.advise(record.news))

    def _set_context(self, update: SetContext | None) -> None:
        if update is not None:
            self._feed(update)
