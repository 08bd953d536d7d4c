"""The station as a device of its hall: whether it is busy goes out, rows of the log go out when they are asked for. Imported only where there is a hall.

The loop hands over frozen values and returns; messages are made and sent in the server's thread.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

from appliance.clocks import Clocks
from appliance.version import VERSION
from game.challenge_log.entry import Kind, LexiconName
from game.challenge_log.reading import links, reading
from kiosk.challenge.context import Trouble
from kiosk.challenge.events import HallEvent, JoinAsked, LinkChanged
from kiosk.log.log import Log
from kiosk.settings import Settings
from kiosk.shell.clock_line import ClockLine
from kiosk.shell.inputs import SignatureMade
from kiosk.station.value import Station
from wire.local.device import LinkState
from wire.local.recorded import DeviceFacts, DeviceInfo, HallPlaces, RecordedDevice, WritingFacts
from wire.messages.base import as_line
from wire.messages.reports import SignedHead
from wire.messages.states import NamedLexicon, StationReport
from wire.record import DeviceRecord

_SIGNED: Final = frozenset({Kind.CONCEDED.value, Kind.STOPPED.value})


@dataclass(frozen=True, slots=True)
class _Seen:
    busy: bool
    table: int | None
    lexicon: LexiconName | None
    trouble: Trouble | None


class HallStation(RecordedDevice):
    """The station's side of the local socket."""

    def __init__(self, settings: Settings, clocks: Clocks, tell: Callable[[HallEvent | SignatureMade], None]) -> None:
        self._boot = clocks.boot()
        self._tell = tell
        self.line = ClockLine(Path(settings.hall.trust), self._send, tell, clocks.now)
        self._seen: _Seen | None = None
        hall = settings.hall
        super().__init__(
            HallPlaces(Path(hall.socket), Path(hall.key), hall.link_user),
            DeviceInfo("station", settings.name, "tilekiosk", VERSION, self._boot),
            DeviceRecord(partial(reading, Path(settings.log.path)), links, Path(settings.log.path)),
            os.getuid(),
            wants_signature,
        )

    def watch(self, log: Log) -> None:
        """Let beats tell how ``log`` fares."""
        self.writing = lambda: WritingFacts(log.slowest.ns, "" if (trouble := log.trouble) is None else str(trouble.problem))

    def show(self, station: Station, now: int) -> None:
        """Publish the station at ``now`` (ns) if something has changed."""
        flow = station.flow
        self.line.focus(flow.wanted_table)
        self.line.tick(now)
        context = flow.context
        seen = _Seen(station.in_progress, flow.table if flow.in_progress else None, context.lexicon, context.trouble)
        if self._server is None or seen == self._seen:
            return
        self._seen = seen
        self.publish(DeviceFacts(lexicon=None if seen.lexicon is None else seen.lexicon.sha256))
        self._server.put("state", partial(self._report, seen, now))

    def hello(self) -> dict[str, object]:
        """Return who this is, in the server's thread. An enrolment since the start counts from here on: its link comes after it."""
        said = super().hello()
        self.line.key = self.key
        self.line.read_enrolment()
        return said

    def signed(self, head: SignedHead) -> None:
        """Take a signature to the loop, which records it."""
        self._tell(SignatureMade(head.seq, json.dumps(head.model_dump(mode="json"), sort_keys=True, separators=(",", ":"))))

    def heard(self, packet: Mapping[str, Any]) -> None:
        """Take what a clock published, in the server's thread."""
        self.line.heard(packet)

    def link(self, state: LinkState) -> None:
        """Take the link's state, in the server's thread."""
        before = self.link_state
        super().link(state)
        if before.up != state.up:
            self._tell(LinkChanged(state.up))
        if before.joins != state.joins:
            self._tell(JoinAsked() if state.joins is None else JoinAsked(state.joins.hall, state.joins.digits, state.joins.code))

    def _send(self, packet: Mapping[str, object]) -> bool:
        return self._server is not None and self.link_state.up and self._server.send(packet)

    def _report(self, seen: _Seen, now: int) -> StationReport:
        return StationReport(
            boot=self._boot,
            epoch=self.epoch,
            at=now,
            busy=seen.busy,
            table=seen.table,
            lexicon=None if seen.lexicon is None else _named(seen.lexicon),
            trouble=None if seen.trouble is None else as_line(str(seen.trouble.what)),
        )


def wants_signature(kind: str, body: Mapping[str, Any]) -> bool:
    """Return whether the head of the log is signed at such a row: a verdict, a concession, a stop in order."""
    return kind in _SIGNED or "acceptable" in body


def _named(lexicon: LexiconName) -> NamedLexicon:
    return NamedLexicon(name=as_line(lexicon.name), edition=as_line(lexicon.edition), words=lexicon.words, sha256=lexicon.sha256)
