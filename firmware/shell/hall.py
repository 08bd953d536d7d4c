"""The clock as a device of its hall: what stands on the table goes out, rows go out when they are asked for. Imported only where there is a hall.

The loop hands over frozen values and returns; messages are made and sent in the server's thread. Nothing that the link does reaches the loop.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final, Literal, TypeAlias

from appliance.clocks import Clocks
from appliance.errors import TileclockError
from appliance.log import get_logger
from appliance.version import VERSION
from firmware.core.game import Game
from firmware.gestures.clock_state import ClockState
from firmware.hall.place import Assignment
from firmware.hall.report import ReportStamp, clock_report
from firmware.journal.reading import reading
from firmware.journal.signing import JournalSigner
from firmware.journal.verify import links
from firmware.settings.model import HallSettings
from firmware.shell.notices import Notices
from firmware.shell.recorder import HeadSigned
from wire.local.recorded import DeviceFacts, DeviceName, HallPlaces, RecordedDevice
from wire.messages.reports import OpenCall, ProposalAnswer, SignedHead
from wire.messages.states import ClockReport
from wire.reasons import Reason
from wire.record import DeviceRecord

_Seen: TypeAlias = tuple[Game, int, int, bool, Assignment]
_ID: Final = re.compile(r"[0-9a-f]{32}")


class HallDesk(RecordedDevice):
    """The clock's side of the local socket.

    Args:
        settings: the hall's.
        journal: the journal's file.
        clocks: the machine's.
        on_signed: takes signatures, in the server's thread; it only enqueues.
    """

    def __init__(self, settings: HallSettings, journal: Path, clocks: Clocks, on_signed: Callable[[HeadSigned], None]) -> None:
        self._journal = journal
        self._on_signed = on_signed
        self._signer = JournalSigner()
        self.place = Assignment(settings.table or None)
        self._clocks = clocks
        self._seen: _Seen | None = None
        super().__init__(
            HallPlaces(Path(settings.socket), Path(settings.key), settings.link_user),
            DeviceName("clock", settings.name, "tileclock", VERSION, clocks.boot()),
            # The chain of a journal with games of another edition is whole too.
            DeviceRecord(partial(reading, journal, any_edition=True), links),
            os.getuid(),
        )

    def show(self, table: ClockState, game: int, now: int, notices: Notices) -> None:
        """Publish the table at ``now`` (ns) if there was an event or a timed transition; while time runs, nothing is sent.

        Args:
            table: the table.
            game: the game's number in the journal.
            now: the hands' time.
            notices: the shell's, for the voltage.
        """
        facts = DeviceFacts(self.place.table, power=_power(notices))
        if facts != self._facts:
            self.publish(facts)
        state = table.game_at(now)
        seen = (state, table.record.highest, game, table.frozen is None, self.place)
        if self._server is None or seen == self._seen:
            return
        called = self._seen is not None and self._seen[0].called
        self._seen = seen
        self._server.put("state", partial(self._report, table, self.place, game, now))
        if state.called != called:
            self._server.put("call", OpenCall(since=now, boot=self._clocks.boot(), table=self.place.table) if state.called else None)

    def new_rows(self) -> None:
        """Sign the head of the journal where a game has ended, a verdict been given or the clock been switched off."""
        try:
            with reading(self._journal, any_edition=True) as connection:
                signed = self._signer.sign(connection, self.own_key, self.link_state.root)
        except (TileclockError, OSError) as error:
            # The table plays on; the next such row tries again.
            get_logger().warning("the journal's head is not signed", why=str(error))
            return
        if signed is not None:
            self._on_signed(HeadSigned(signed.model_dump(mode="json")))

    def last_signed(self) -> SignedHead | None:
        """Return the last signed head in the journal; None: there is none."""
        return self._signer.last

    def take(self, topic: str, payload: str, *, retained: bool) -> None:  # noqa: ARG002 - the server passes all; each proposal gets the same answer
        """Refuse an order or a verdict."""
        name = _id_of(payload)
        if name is not None and self._server is not None:
            answer = ProposalAnswer(
                command=name, accepted=False, reason=Reason.NOT_ALLOWED, at=self._clocks.now(), seq=self._end().seq, number=None
            )
            self._server.put(f"ack/{name}", answer)

    def _report(self, table: ClockState, place: Assignment, game: int, now: int) -> ClockReport:
        # When it is sent: the epoch of a journal that was lost and begun anew is known by then.
        return clock_report(table, place, game, ReportStamp(self._clocks.boot(), self.epoch), now)


def _power(notices: Notices) -> Literal["ok", "low", "was_low"]:
    if notices.power_low:
        return "low"
    return "was_low" if notices.power_was_low else "ok"


def _id_of(payload: str) -> str | None:
    """Return what a proposal calls itself."""
    try:
        name = json.loads(json.loads(payload)["body"])["id"]
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
    return name if isinstance(name, str) and _ID.fullmatch(name) else None
