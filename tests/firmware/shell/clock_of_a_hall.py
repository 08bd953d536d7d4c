"""A clock with its journal and its hall, without a socket: what the hall says comes by a call, and what the clock answers is kept."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from appliance.clocks import Clocks
from firmware.gestures.clock_state import ClockState
from firmware.hall.state import HallState
from firmware.journal.writer import JournalRecorder, JournalWriter
from firmware.shell.clock import TableClock
from firmware.shell.hall_messages import DeviceIdentity, HallMessages
from firmware.shell.notices import Notices
from firmware.shell.proposal_gate import Proposed, RefusedPackets
from game.journal.reading import reading, rows_from
from game.journal.row import Kind
from game.table import Assignment
from rules.duration import NS
from tests.firmware.gestures.trains import setup
from tests.firmware.hall.hall_table import CLOCK, EPOCH, NONCE
from tests.firmware.saying import play
from wire.proposals import Order, RefusalReason, VerdictBody
from wire.reports import UpdateOutcome


@dataclass(frozen=True)
class Identity:
    device: str = CLOCK


@dataclass
class Source:
    """The clock's end of the socket, as the loop sees it."""

    epoch: str | None = EPOCH
    nonces: tuple[str, ...] = (NONCE,)
    key: DeviceIdentity | None = field(default_factory=Identity)
    place: Assignment = Assignment()  # noqa: RUF009 - a frozen value
    answers: list[tuple[str, RefusalReason | None, int | None]] = field(default_factory=list)

    shown: list[tuple[ClockState, int, int, Notices]] = field(default_factory=list)

    def begin(self) -> None:
        self.shown.clear()

    def show(self, table: ClockState, game: int, now: int, notices: Notices) -> None:
        self.shown.append((table, game, now, notices))

    refusals_due: int | None = None
    waiting: RefusedPackets | None = None
    updated: UpdateOutcome | None = None

    def refusals(self, now: int, *, stops: bool) -> RefusedPackets | None:
        found, self.waiting = self.waiting, None
        return found if stops or now else None

    def answer(self, command: str, reason: RefusalReason | None, number: int | None) -> None:
        self.answers.append((command, reason, number))


class Table:
    """A clock with its journal, and its hall."""

    def __init__(self, folder: Path, *lines: str) -> None:
        self.path = folder / "journal.db"
        self.writer = JournalWriter(self.path, lambda _: None)
        state = ClockState(play("naspa-2017-collins-5", *lines).record, setup())
        recorder = JournalRecorder(self.writer, Clocks(lambda: 0, lambda: "", lambda: "boot"), 0, None)
        self.clock = TableClock(state, recorder, Notices(state.setup.texts), 2 * NS)
        self.source = Source()
        self.hall = HallMessages(self.clock, self.source, HallState())

    def take(self, proposal: Order | VerdictBody, at_s: float, *, retained: bool = False) -> tuple[RefusalReason | None, int | None]:
        self.hall.take(Proposed(proposal, retained), int(at_s * NS))
        name, *rest = self.source.answers[-1]
        assert name == proposal.id
        return rest[0], rest[1]  # type: ignore[return-value]  # the two that remain

    def rows(self, kind: Kind) -> list[dict[str, Any]]:
        assert self.writer.close(20)
        with reading(self.path) as connection:
            return [json.loads(stored.row.body) for stored in rows_from(connection, 1) if stored.row.kind == kind]
