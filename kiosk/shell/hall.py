"""The station as a device of its hall, and its line to the clock of one table. Imported only where there is a hall.

Whether it is busy goes out, rows of the log go out when they are asked for. What it hears of a clock becomes events, what it sends is signed. The loop hands
over frozen values and returns; messages are made and sent in the server's thread.
"""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from pydantic import ValidationError

from appliance.clocks import Clocks
from appliance.log import get_logger
from appliance.version import VERSION
from faults.small_file import parsed_toml, read_small
from kiosk.context import ClockAnswer, ClockChallenge, NoFacts, SentVerdict, TableFacts, Trouble
from kiosk.events import CallAtClock, ClockAnswered, HallEvent, JoinAsked, LinkChanged, Propose, TableHeard, VerdictSent
from kiosk.log import Log
from kiosk.settings import Settings
from kiosk.shell.threads import Reported
from kiosk.station import Station
from records.device_test import DEVICE_TEST
from records.entry import Entry, Kind, LexiconName
from records.log import reading
from rules.side import Side
from wire.local.recorded import DeviceFacts, DeviceInfo, HallPlaces, RecordedDevice, WritingFacts
from wire.proposals import LONGEST_WORD, SignedBody, SignedVerdict, VerdictBody
from wire.record import DeviceRecord
from wire.reports import (
    STALE_NS,
    ClockReport,
    DeviceBeat,
    LinkState,
    NamedLexicon,
    Presence,
    ProposalAnswer,
    SignedHead,
    StationReport,
    as_line,
)
from wire.topics import signed_bytes

if TYPE_CHECKING:
    from wire.keys import DeviceKey


class ClockLine:
    """Hears and addresses the clock of the table in focus.

    ``trust``: the file of the enrolment. ``send`` hands a packet to the link, False: it is not there. ``tell`` puts an event into the loop's inbox,
    from any thread. ``now`` in ns.
    """

    def __init__(
        self, trust: Path, send: Callable[[Mapping[str, object]], bool], tell: Callable[[HallEvent], None], now: Callable[[], int]
    ) -> None:
        self.key: DeviceKey | None = None
        self.table: int | None = None
        self._trust = trust
        self._hall = ""
        self._credential: SignedBody | None = None
        self.read_enrolment()
        self._send, self._tell, self._now = send, tell, now
        self._state: ClockReport | None = None
        self._heard_at: int | None = None

    @property
    def stale_at(self) -> int | None:
        """The instant (ns) at which the clock counts as unheard; None: nothing is heard of one."""
        return None if self._heard_at is None else self._heard_at + STALE_NS

    def read_enrolment(self) -> None:
        """Take hall and credential from the file of the enrolment, in the socket's thread; none where this station is not enrolled."""
        self._hall, self._credential = "", None
        try:
            found = parsed_toml(read_small(self._trust))
            self._hall, self._credential = str(found["hall"]), SignedBody.model_validate(found["credential"])
        except FileNotFoundError:
            return
        except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
            get_logger().warning("no verdict is sent to clocks: enrol this station again", file=str(self._trust), why=str(error)[:200])

    def focus(self, table: int | None) -> None:
        if table != self.table:
            self.table, self._state, self._heard_at = table, None, None
            self._send({"t": "focus", "table": table})

    def tick(self, now: int) -> None:
        """Notice a clock that is not heard any more, in the loop."""
        if self.stale_at is not None and now >= self.stale_at and self.table is not None:
            self._heard_at = None
            self._tell(TableHeard(self.table, NoFacts.UNKNOWN))

    def heard(self, packet: Mapping[str, Any]) -> None:
        """Take what the link has heard, in the socket's thread. What is malformed is dropped."""
        device, what, payload, table = packet.get("device"), packet.get("what"), packet.get("payload"), self.table
        if table is None or not isinstance(payload, str):
            return
        if what in ("unknown", "ambiguous"):
            self._tell(TableHeard(table, NoFacts(what)))
        elif isinstance(device, str):
            try:
                self._receive(table, device, str(what), payload)
            except ValidationError as error:
                get_logger().warning(
                    "a clock sends something other than messages of version 1", device=device, what=str(what), why=str(error)[:200]
                )

    def propose(self, effect: Propose) -> VerdictSent:
        """Send what has become of a challenge, in the loop; it never waits."""
        to, at = effect.to, self._now()
        name, sent = self._post(
            to.device,
            {
                "epoch": to.epoch,
                "game": to.game,
                "do": effect.do,
                "challenge": to.challenge,
                "acceptable": effect.acceptable if effect.do == "verdict" else None,
                "by": None if effect.by is None else effect.by.value,
                "count": effect.count or None,
                "words": tuple(word[:LONGEST_WORD] for word in effect.words),
                "lexicon": effect.lexicon,
                "row": effect.row,
                "replaces": effect.replaces,
            },
        )
        return VerdictSent(SentVerdict(name, to, at, ClockAnswer.WAITING if sent else ClockAnswer.UNSENT))

    def call(self, effect: CallAtClock) -> None:
        """Call the director at the clock too, in the loop; it never waits."""
        state = self._state
        if state is not None and state.epoch is not None:
            self._post(effect.device, {"epoch": state.epoch, "game": state.game, "do": "call", "challenge": None})

    def _receive(self, table: int, device: str, what: str, payload: str) -> None:
        match what:
            case "up":
                if not Presence.model_validate_json(payload).up:
                    self._heard_at = None
                    self._tell(TableHeard(table, NoFacts.UNKNOWN))
            case "state":
                state = ClockReport.model_validate_json(payload)
                # The link may still pass on what the clock in focus before has said.
                if state.table == table:
                    self._state, self._heard_at = state, self._now()
                    self._tell(TableHeard(table, _facts(device, state)))
            case "beat":
                DeviceBeat.model_validate_json(payload)
                self._heard_at = self._now()
            case "ack":
                answer = ProposalAnswer.model_validate_json(payload)
                self._tell(ClockAnswered(answer.command, None if answer.accepted else answer.reason or "malformed"))

    def _post(self, device: str, keys: Mapping[str, Any]) -> tuple[str, bool]:
        """Sign and send a message to a clock; return its id, and whether the link has it."""
        key, credential, state, name = self.key, self._credential, self._state, secrets.token_hex(16)
        if key is None or credential is None or state is None:
            return name, False
        body = VerdictBody(id=name, device=device, station=key.device, nonce=state.nonce, **keys).model_dump_json()
        signed = SignedVerdict(body=body, signature=key.sign(signed_bytes("tc/1 verdict", self._hall, body)), credential=credential)
        return name, self._send({"t": "send", "device": device, "payload": signed.model_dump_json()})


def _facts(device: str, state: ClockReport) -> TableFacts:
    standing = state.challenge
    challenge = None
    if standing is not None and state.epoch is not None:
        challenge = ClockChallenge(device, state.epoch, state.game, standing.number, Side(standing.challenger))
    return TableFacts(device, state.running is not None, challenge, state.pending is not None, state.called)


_SIGNED: Final = frozenset({Kind.CONCEDED.value, Kind.STOPPED.value})


class HallStation(RecordedDevice):
    """The station's side of the local socket."""

    def __init__(self, settings: Settings, clocks: Clocks, tell: Callable[[HallEvent | Reported], None]) -> None:
        self._boot = clocks.boot()
        self._tell = tell
        self.line = ClockLine(Path(settings.hall.trust), self._send, tell, clocks.now)
        self._seen: tuple[bool, int | None, LexiconName | None, Trouble | None] | None = None
        hall = settings.hall
        super().__init__(
            HallPlaces(Path(hall.socket), Path(hall.key), hall.link_user),
            DeviceInfo("station", settings.name, "tilekiosk", VERSION, self._boot),
            DeviceRecord(partial(reading, Path(settings.log.path)), Path(settings.log.path)),
            os.getuid(),
            wants_signature,
        )

    def watch(self, log: Log) -> None:
        self.writing = lambda: WritingFacts(log.slowest.ns, "" if (trouble := log.trouble) is None else str(trouble.problem))

    def show(self, station: Station, now: int) -> None:
        flow = station.flow
        self.line.focus(flow.wanted_table)
        self.line.tick(now)
        context = flow.context
        seen = (station.in_progress, flow.table if flow.in_progress else None, context.lexicon, context.trouble)
        if self._server is None or seen == self._seen:
            return
        self._seen = seen
        self.publish(DeviceFacts(lexicon=None if context.lexicon is None else context.lexicon.sha256))
        self._server.put("state", partial(self._report, now, *seen))

    def hello(self) -> dict[str, object]:
        """Return who this is, in the server's thread. An enrolment since the start counts from here on: its link comes after it."""
        said = super().hello()
        self.line.key = self.key
        self.line.read_enrolment()
        return said

    def signed(self, head: SignedHead) -> None:
        body = json.dumps(head.model_dump(mode="json"), sort_keys=True, separators=(",", ":"))
        self._tell(Reported(None, Entry(Kind.SIGNED, signed=body), head.seq))

    def heard(self, packet: Mapping[str, Any]) -> None:
        self.line.heard(packet)

    def link(self, state: LinkState) -> None:
        before = self.link_state
        super().link(state)
        if before.up != state.up:
            self._tell(LinkChanged(state.up))
        if before.joins != state.joins:
            self._tell(JoinAsked() if state.joins is None else JoinAsked(state.joins.hall, state.joins.digits, state.joins.code))

    def _send(self, packet: Mapping[str, object]) -> bool:
        return self._server is not None and self.link_state.up and self._server.send(packet)

    def _report(self, now: int, busy: bool, table: int | None, lexicon: LexiconName | None, trouble: Trouble | None) -> StationReport:
        return StationReport(
            boot=self._boot,
            epoch=self.epoch,
            at=now,
            busy=busy,
            table=table,
            lexicon=None
            if lexicon is None
            else NamedLexicon(name=as_line(lexicon.name), edition=as_line(lexicon.edition), words=lexicon.words, sha256=lexicon.sha256),
            trouble=None if trouble is None else as_line(str(trouble.what)),
        )


def wants_signature(kind: str, body: Mapping[str, Any]) -> bool:
    """Return whether the head of the log is signed at such a row: a verdict, a concession, a guided test, a stop in order."""
    return kind in _SIGNED or "acceptable" in body or DEVICE_TEST in body
