"""Messages of the hall at the table, in the loop: each is decided, applied, recorded and answered.

At an update that the desk has ordered, no press counts any more; the answer goes out, then the machine is asked. Settings that it has ordered are
written beside the loop.
"""

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from msgspec.structs import replace

from appliance.log import get_logger
from appliance.program import UpdateRequest
from appliance.records.sqlite import describe_io_error
from firmware.hall.opening import IDS, Addressee, misdirected
from firmware.hall.orders import Decision, HallState, LinkSign, VerdictRefused, decide, offered_again, refused
from firmware.settings import DeskFile, Settings
from firmware.shell.clock import TableClock
from firmware.shell.hall import ClockDevice, HallInput, Proposed, RefusalCounter, RefusedPackets
from records.journal import ACCEPTED, Kind, accepted_in, assigned_body, last_assigned, last_set_up, place_of, stop_asked_at
from rules.duration import NS
from wire.proposals import (
    Assign,
    ChangeSettings,
    Order,
    RefusalReason,
    RoundBegins,
    SetTimer,
    SettingValue,
    SetUpNext,
    StopAsked,
    VerdictBody,
)
from wire.reports import LinkState

ANSWERS_NS: Final = 2 * NS
"""From the decision to the request: the row and the answer go out first, for the request ends this program."""
TAKEN_NS: Final = 60 * NS
"""How long the clock waits for its end. Afterwards the players have it back."""


class ClockUpdate:
    """Asks for the update at its time, and says where nothing came of it."""

    def __init__(self, clock: TableClock, request: UpdateRequest, source: ClockDevice) -> None:
        self._clock, self._request, self._source = clock, request, source
        self._asked = False
        self.due: int | None = None
        """When ``show`` has something to do (ns); None: no update is ordered."""

    def begin(self, now: int) -> None:
        """Let the clock rest from ``now`` (ns) on; an order that is repeated changes nothing."""
        if self.due is None:
            self._clock.rest(now)
            self._asked, self.due = False, now + ANSWERS_NS

    def show(self, now: int) -> None:
        if self.due is None or now < self.due:
            return
        try:
            if not self._asked:
                self._request.ask()
                self._asked, self.due = True, now + TAKEN_NS
                get_logger().warning("an update is requested, as the director's desk ordered")
                return
            self._request.withdraw()
            why = f"this clock was not stopped within {TAKEN_NS // NS} s of the request"
        except OSError as error:
            why = str(describe_io_error(error))
        self.due = None
        self._clock.note(now, given_up="update", why=why)
        get_logger().error("the update is given up, the clock goes on", why=why)
        if self._clock.hall is not None:
            self._clock.hall = replace(self._clock.hall, updating=False)
        self._source.updated = "failed"


BUZZER: Final = "buzzer.enabled"


class HallMessages:
    """Takes what comes from the hall.

    ``hall`` is what it has changed before: the place from the settings or the journal. ``write_settings`` does not wait for the disk; by default
    settings last as long as this clock. ``update``: None, this machine makes none.
    """

    def __init__(
        self,
        clock: TableClock,
        source: ClockDevice,
        hall: HallState,
        *,
        write_settings: Callable[[Mapping[str, SettingValue]], None] = lambda _: None,
        update: UpdateRequest | None = None,
    ) -> None:
        self._clock, self._source, self._write_settings = clock, source, write_settings
        self._update = None if update is None else ClockUpdate(clock, update, source)
        self._handled: tuple[str, ...] = ()
        self._refusals, self._last_refused = RefusalCounter(), dict[str, Any]()
        clock.hall = hall
        source.place = hall.place

    def begin(self) -> None:
        self._source.begin()

    def show(self, now: int) -> None:
        self._record_rest(now)
        if self._update is not None:
            self._update.show(now)
        clock, timer = self._clock, self._hall.timer
        self._source.timer = None if timer is None else timer.ends
        # The hall hears of a press once it is decided.
        self._source.show(clock.decided, clock.game, clock.known(now), clock.notices, clock.here)

    @property
    def next_due(self) -> int | None:
        dues = (self._refusals.due, self._source.gate.due, None if self._update is None else self._update.due)
        return min((due for due in dues if due is not None), default=None)

    def stop(self, now: int) -> None:
        self._record_rest(now, stops=True)

    def _record_rest(self, now: int, *, stops: bool = False) -> None:
        packets = self._source.gate.rest(now, stops=stops)
        if packets is not None:
            self.receive(packets, now)
        count = self._refusals.rest(now, stops=stops)
        if count:
            self._record(now, **self._last_refused, count=count)

    def receive(self, item: HallInput, now: int, try_buzzer: Callable[[bool], bool] = lambda _: True) -> Mapping[str, SettingValue]:
        """Take one item of the inbox at ``now`` (ns); return the settings, by name, to be in force from now on. Table and buzzer have theirs already."""
        match item:
            case Proposed():
                return self._proposed(item, now, try_buzzer).settings
            case RefusedPackets(last, count):
                self._record(now, id=last.id, issuer=last.sender, what=None, answer=last.reason.value, count=count)
            case LinkState(up, refused=refuses, joins=joins):
                sign = LinkSign.DOWN if not up else LinkSign.REFUSED if refuses else LinkSign.UP
                self._clock.hall = replace(self._hall, link=sign, joins=joins)
        return {}

    def _proposed(self, item: Proposed, now: int, try_buzzer: Callable[[bool], bool]) -> Decision:
        proposal, clock = item.proposal, self._clock
        # Timed transitions up to now come first: the game may be over since.
        clock.tick(now)
        decision = self._decided(item, now)
        # Before all else, so that nothing has changed where it cannot be done.
        if BUZZER in decision.settings and not try_buzzer(bool(decision.settings[BUZZER])):
            decision = refused(self._hall, RefusalReason.NO_BUZZER)
        for event, by in decision.events:
            clock.apply_from_hall(event, by, now)
        if isinstance(proposal, StopAsked) and decision.reason is None and self._hall.stop is None:
            clock.set_up(now, stop_asked=clock.table.instant(now))
        if isinstance(proposal, RoundBegins) and decision.reason is None:
            clock.set_up(now, round_began=None if proposal.began is None else clock.table.instant(proposal.began))
        if decision.offered is not None:
            clock.set_up(now, offered=decision.offered)
        if decision.settings:
            clock.take_up(decision.settings, now)
            self._write_settings(decision.settings)
        clock.hall = decision.hall
        if decision.hall.updating and self._update is not None:
            self._update.begin(now)
        if isinstance(proposal, VerdictBody) and decision.reason is not None:
            clock.hall = replace(decision.hall, refused=VerdictRefused(decision.reason, now))
        self._source.place = decision.hall.place
        self._handled = (*self._handled, proposal.id)[-IDS:]
        self._keep(proposal, decision, now)
        self._source.answer(proposal.id, decision.reason, decision.number)
        return decision

    def _decided(self, item: Proposed, now: int) -> Decision:
        clock, source, hall = self._clock, self._source, self._hall
        device = "" if source.key is None else source.key.device
        to = Addressee(device, source.epoch, clock.game, source.nonces, source.start, self._handled)
        reason = misdirected(item.proposal, to, retained=item.retained)
        return decide(clock.table, hall, item.proposal, now) if reason is None else refused(hall, reason)

    @property
    def _hall(self) -> HallState:
        return self._clock.hall or HallState()

    def _keep(self, proposal: Order | VerdictBody, decision: Decision, now: int) -> None:
        issuer = proposal.station if isinstance(proposal, VerdictBody) else proposal.issuer
        answer = ACCEPTED if decision.reason is None else decision.reason.value
        body: dict[str, Any] = {"id": proposal.id, "issuer": issuer, "what": proposal.do, "answer": answer, "number": decision.number}
        body |= _particulars(proposal, now)
        count = 1
        if decision.reason is not None:
            self._last_refused = body
            count = self._refusals.refused(now)
        if count:
            self._record(now, **body, count=count)
        if isinstance(proposal, Assign) and decision.reason is None:
            self._clock.note_row(Kind.ASSIGNED, now, assigned_body(decision.hall.place))

    def _record(self, now: int, *, count: int, **body: Any) -> None:
        known = {key: value for key, value in body.items() if value is not None}
        self._clock.note_row(Kind.PROPOSAL, now, known if count == 1 else {**known, "count": count})


def _particulars(proposal: Order | VerdictBody, now: int) -> dict[str, Any]:
    """Return what else the row of a proposal says. The instant of a request to stop is the row's own: a credit can be offered from it."""
    match proposal:
        case StopAsked():
            return {"text": proposal.text}
        case SetTimer():
            return {"text": proposal.label or None, "timer": {"seconds": proposal.seconds, "ago_s": _ago_s(proposal.begins, now)}}
        case RoundBegins():
            return {"round": {"ago_s": _ago_s(proposal.began, now)}}
        case ChangeSettings():
            return {"settings": proposal.settings}
        case SetUpNext():
            return {"setup": proposal.model_dump(include={"rulebook", "left_seconds", "right_seconds"})}
        case _:
            return {}


def _ago_s(began: int | None, now: int) -> int | None:
    return None if began is None else (now - began) // NS


class SettingsWriter:
    """Writes settings in their order in a thread of its own: a card that hangs delays neither picture nor heartbeat, nor the first press of a game."""

    def __init__(self, desk: DeskFile) -> None:
        self._desk = desk
        # Its thread starts with the first settings. The end of the program waits for it.
        self._thread = ThreadPoolExecutor(1, "settings")

    def write(self, settings: Mapping[str, SettingValue]) -> None:
        """Have ``settings`` written soon. A failure is logged: they are in force until the clock stops."""
        self._thread.submit(self._written, dict(settings))

    def _written(self, settings: Mapping[str, SettingValue]) -> None:
        try:
            self._desk.keep(settings)
        except OSError as error:
            get_logger().warning("the settings of the director's desk are not written", why=str(describe_io_error(error)))


def hall_messages(  # noqa: PLR0913 - what the hall may change comes from all these
    settings: Settings, clock: TableClock, hall: ClockDevice, now: int, *, desk: DeskFile | None, update: UpdateRequest | None
) -> HallMessages:
    """Return what takes the hall's messages, with what the journal remembers of them."""
    journal = Path(settings.journal.path)
    place = place_of(last_assigned(journal), hall.place)
    messages = accepted_in(journal, clock.game, IDS)
    if (asked := stop_asked_at(messages)) is not None:
        clock.set_up(now, stop_asked=asked)
    if (offered := offered_again(clock.table, last_set_up(messages))) is not None:
        clock.set_up(now, offered=offered)
    on_card = frozenset[str]() if desk is None else desk.on_card
    update = update if settings.hall.updates else None
    if update is not None:
        # What a program that crashed has asked for: this one has taken presses since.
        with suppress(OSError):
            update.withdraw()
        hall.note_update(update.last())
    state = HallState(
        place, hard_freeze=settings.hall.freeze == "hard", on_card=on_card, arrival=settings.hall.arrival, updates=update is not None
    )
    written = {} if desk is None else {"write_settings": SettingsWriter(desk).write}
    return HallMessages(clock, hall, state, update=update, **written)
