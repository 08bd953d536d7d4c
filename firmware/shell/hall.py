"""The clock as a device of its hall: what stands on the table goes out, rows go out when they are asked for. Imported only where there is a hall.

The loop hands over frozen values and returns; messages are made and sent in the server's thread. What comes in reaches the loop only through
``ProposalGate``, and the link's state when it changes. The gate checks form and signatures in the server's thread, so that garbage costs the loop nothing:
at most ten refusals a minute reach it and the journal one by one, then their number. Whom the clock trusts stands in the file that its enrolment has written;
which rows its key signs, in docs/spec/wire.md, "Signed heads".
"""

import os
import secrets
import threading
from collections.abc import Callable, Mapping
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

from msgspec import Struct, convert, to_builtins

from appliance.clocks import Clocks, is_dated
from appliance.log import get_logger
from appliance.version import VERSION
from faults.small_file import parsed_toml, read_small
from firmware.gestures.clock_state import ClockState
from firmware.hall.opening import Refusal, SignatureCheck, Trust, id_of, opened
from firmware.hall.report import clock_report
from firmware.journal.writer import HeadSigned, JournalWriter
from firmware.settings import HallSettings
from firmware.shell.notices import Notices
from game.game import Game
from game.table import Assignment, OfferedGame
from records.device_test import DEVICE_TEST
from records.journal import Kind, reading
from rules.duration import NS
from rules.side import BySide
from wire.local.recorded import NONCE_BYTES, DeviceFacts, DeviceInfo, HallPlaces, RecordedDevice, WritingFacts
from wire.proposals import Order, RefusalReason, VerdictBody
from wire.record import DeviceRecord
from wire.reports import ClockReport, LinkState, OpenCall, ProposalAnswer, SignedHead, UpdateOutcome
from wire.topics import ANSWER


def load_trust(path: Path) -> Trust | None:
    """Return whom to trust; None: this clock is not enrolled, or the file is not what the enrolment writes, and the log says so."""
    try:
        return convert(parsed_toml(read_small(path)), Trust)
    except FileNotFoundError:
        return None
    except (OSError, ValueError, RecursionError) as error:
        get_logger().warning("nothing of the hall counts here: enrol this clock again", file=str(path), why=str(error))
        return None


A_MINUTE: Final = 10
_MINUTE_NS: Final = 60 * NS


class RefusalCounter(Struct):
    """Counts refusals, for one thread."""

    since: int = -_MINUTE_NS
    reported: int = 0
    untold: int = 0

    def refused(self, now: int) -> int:
        """Count a refusal at ``now`` (ns); return for how many a row is to be written, itself included; 0: none yet."""
        if now - self.since >= _MINUTE_NS:
            self.since, self.reported = now, 0
        self.untold += 1
        if self.reported >= A_MINUTE:
            return 0
        self.reported += 1
        return self._take_first()

    @property
    def due(self) -> int | None:
        """When ``rest`` is to be asked (ns): at the end of a minute with more refusals than rows; None: no row waits."""
        return self.since + _MINUTE_NS if self.reported >= A_MINUTE else None

    def rest(self, now: int, *, stops: bool = False) -> int:
        """Return for how many a row is due at ``now``, or at a stop; 0: none."""
        if not stops and (self.due is None or now < self.due):
            return 0
        self.reported = 0
        return self._take_first()

    def _take_first(self) -> int:
        count, self.untold = self.untold, 0
        return count


WAITING: Final = 8


class Proposed(Struct, frozen=True):
    """A genuine proposal."""

    proposal: Order | VerdictBody
    retained: bool


class RefusedPackets(Struct, frozen=True):
    """Packets refused before the loop: the last one, and how many there were since the last of these."""

    last: Refusal
    count: int


HallInput: TypeAlias = Proposed | RefusedPackets | LinkState


class ProposalGate:
    """Checks what comes in and passes it on.

    ``trust``: None, it is not enrolled and nothing comes in. ``pass_on`` enqueues for the loop, from any thread; ``refuse`` answers a packet that
    does not reach it, with its id. ``now`` in ns; ``today``: the day since 1970, None if the machine's date is not plausible.
    """

    def __init__(  # noqa: PLR0913 - what the thread may use is listed here
        self,
        trust: Trust | None,
        fits: SignatureCheck,
        *,
        pass_on: Callable[[HallInput], None],
        refuse: Callable[[str, RefusalReason], None],
        now: Callable[[], int],
        today: Callable[[], int | None],
    ) -> None:
        self.trust = trust
        """Replaced in the socket's thread once the clock is enrolled."""
        self._fits = fits
        self._pass_on, self._refuse = pass_on, refuse
        self._now, self._today = now, today
        self._room = threading.Semaphore(WAITING)
        self._refusals, self._last = RefusalCounter(), Refusal(RefusalReason.MALFORMED, None, "")
        self._counting = threading.Lock()

    def receive(self, topic: str, payload: str, *, retained: bool) -> None:
        if self.trust is None:
            self._turn_away(Refusal(RefusalReason.NOT_ENROLLED, id_of(payload), topic))
            return
        found = opened(topic, payload, self.trust, self._fits, self._today())
        if isinstance(found, Refusal):
            self._turn_away(found)
        elif self._room.acquire(blocking=False):
            self._pass_on(Proposed(found, retained))
        else:
            self._turn_away(Refusal(RefusalReason.BUSY, found.id, topic))

    def handled(self) -> None:
        self._room.release()

    def _turn_away(self, refusal: Refusal) -> None:
        if refusal.id is not None:
            self._refuse(refusal.id, refusal.reason)
        with self._counting:
            self._last = refusal
            count = self._refusals.refused(self._now())
        if count:
            self._pass_on(RefusedPackets(refusal, count))

    @property
    def due(self) -> int | None:
        with self._counting:
            return self._refusals.due

    def rest(self, now: int, *, stops: bool) -> RefusedPackets | None:
        """Return the refusals above ten a minute, once the minute is over or the clock stops. Any thread."""
        with self._counting:
            count = self._refusals.rest(now, stops=stops)
            return RefusedPackets(self._last, count) if count else None


_SIGNED_EVENTS: Final = frozenset({"end", "result", "verdict", "new_game"})
"""A new game signs the one before, which may have ended without an event."""
_EVENT: Final = "event"
_STOPPED: Final = "stopped"
_NOTE: Final = "note"


def wants_signature(kind: str, body: Mapping[str, Any]) -> bool:
    return kind == _STOPPED or (kind == _EVENT and body.get("do") in _SIGNED_EVENTS) or (kind == _NOTE and DEVICE_TEST in body)


_OUTCOMES: Final[Mapping[str, UpdateOutcome]] = {"installed": "installed", "nothing": "nothing", "failed": "failed"}
_Seen: TypeAlias = tuple[Game, int, int, bool, Assignment, OfferedGame | None, int | None, BySide[bool] | None]
_1970: Final = date(1970, 1, 1).toordinal()


class ClockDevice(RecordedDevice):
    """The clock's side of the local socket; ``pass_on`` takes what the loop has to deal with, in the server's thread: it only enqueues."""

    def __init__(self, settings: HallSettings, journal: Path, clocks: Clocks, pass_on: Callable[[HallInput | HeadSigned], None]) -> None:
        self.place = Assignment(settings.table or None)
        self.timer: int | None = None
        self.start: Final = secrets.token_hex(NONCE_BYTES)
        self._freeze = settings.freeze
        self._clocks = clocks
        self._pass_on = pass_on
        self._trust = Path(settings.trust)
        self.gate = ProposalGate(load_trust(self._trust), _fits, pass_on=pass_on, refuse=self._refuse, now=clocks.now, today=self._today)
        self._seen: _Seen | None = None
        super().__init__(
            HallPlaces(Path(settings.socket), Path(settings.key), settings.link_user),
            DeviceInfo("clock", settings.name, "tileclock", VERSION, clocks.boot()),
            # The chain of a journal with games of another edition is whole too.
            DeviceRecord(partial(reading, journal, refused=True), journal),
            os.getuid(),
            wants_signature,
        )

    def note_update(self, outcome: str) -> None:
        self.updated = _OUTCOMES.get(outcome)
        if self.updated == "failed":
            get_logger().error("the update that the director's desk ordered has failed", see="journalctl -u tileclock-update")

    def watch(self, writer: JournalWriter) -> None:
        self.writing = lambda: WritingFacts(writer.slowest.ns, "" if (trouble := writer.trouble) is None else str(trouble.problem))

    def show(self, state: ClockState, game: int, now: int, notices: Notices, here: BySide[bool] | None) -> None:
        """Publish the table at ``now`` (ns) if there was an event or a timed transition; while time runs, nothing is sent."""
        facts = DeviceFacts(self.place.table, power=_power(notices), battery=notices.battery, worn=tuple(map(to_builtins, notices.worn)))
        if facts != self._facts:
            self.publish(facts)
        shown = state.game_at(now)
        seen = (shown, state.history.number, game, state.frozen is None, self.place, state.setup.offered, self.timer, here)
        if self._server is None or seen == self._seen:
            return
        called = self._seen is not None and self._seen[0].called
        self._seen = seen
        self._server.put("state", partial(self._report, state, self.place, game, now, self.timer, here))
        if shown.called != called:
            self._server.put("call", OpenCall(since=now, boot=self._clocks.boot(), table=self.place.table) if shown.called else None)

    def hello(self) -> dict[str, object]:
        """Return who this is, in the server's thread. An enrolment since the start counts from here on: its link comes after it."""
        self.gate.trust = load_trust(self._trust)
        return super().hello()

    def signed(self, head: SignedHead) -> None:
        self._pass_on(HeadSigned(head.model_dump(mode="json"), self._signer.covered == Kind.STOPPED))

    def receive(self, topic: str, payload: str, *, retained: bool) -> None:
        self.gate.receive(topic, payload, retained=retained)

    def link(self, state: LinkState) -> None:
        before = self.link_state
        super().link(state)
        if (before.up, before.refused, before.joins) != (state.up, state.refused, state.joins):
            self._pass_on(state)

    def answer(self, command: str, reason: RefusalReason | None, number: int | None) -> None:
        """Publish the answer to a proposal that the loop has dealt with, and make room for another one. Never blocks."""
        self.gate.handled()
        self._put_answer(command, reason, number)

    def _refuse(self, command: str, reason: RefusalReason) -> None:
        self._put_answer(command, reason, None)

    def _put_answer(self, command: str, reason: RefusalReason | None, number: int | None) -> None:
        if self._server is not None:
            # Made in the server's thread: it reads the journal's end.
            self._server.put(f"{ANSWER}{command}", partial(self._answer, command, reason, number, self._clocks.now()))

    def _answer(self, command: str, reason: RefusalReason | None, number: int | None, at: int) -> ProposalAnswer:
        return ProposalAnswer(command=command, accepted=reason is None, reason=reason, at=at, seq=self._end().seq, number=number)

    def _today(self) -> int | None:
        wall = self._clocks.wall()
        return date.fromisoformat(wall[:10]).toordinal() - _1970 if is_dated(wall) else None

    def _report(  # noqa: PLR0913, PLR0917 - as the table stood when it was handed over
        self, state: ClockState, place: Assignment, game: int, now: int, timer: int | None, here: BySide[bool] | None
    ) -> ClockReport:
        # When it is sent: the epoch of a journal that was lost and begun anew is known by then.
        boot, freeze = self._clocks.boot(), self._freeze
        return clock_report(state, place, game, now, boot=boot, nonce=self.start, epoch=self.epoch, freeze=freeze, timer=timer, here=here)


def _power(notices: Notices) -> Literal["ok", "low", "was_low"]:
    if notices.power_low:
        return "low"
    return "was_low" if notices.power_was_low else "ok"


def _fits(public: str, signature: str, data: bytes) -> bool:
    from wire.keys import signature_fits  # noqa: PLC0415 - 24 ms and 6 MB, only for what comes in, in the server's thread

    return signature_fits(public, signature, data)
