"""What clock and station have in common as devices of the hall: a key, a file of record, nonces, presence, beats."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

from msgspec import Struct

from appliance.log import get_logger
from appliance.power import Battery
from appliance.records.sqlite import merge_wal
from faults.errors import TileclockError
from wire.local.server import DeviceServer, uid_of
from wire.record import DeviceRecord, HeadSigner, RecordEnd, Wants
from wire.reports import LinkState, Presence, RowBatch, SignedHead, UpdateOutcome, as_line
from wire.topics import VERSION

if TYPE_CHECKING:
    from wire.keys import DeviceKey

NONCE_BYTES: Final = 16
NONCES: Final = 3
"""How many beats an order may be old."""
_ROOT: Final = 0


class HallPlaces(Struct, frozen=True):
    socket: Path
    key: Path
    link_user: str
    """Whose processes may connect besides root's and our own."""


class DeviceInfo(Struct, frozen=True):
    kind: Literal["clock", "station"]
    name: str
    program: str
    version: str
    boot: str


class DeviceFacts(Struct, frozen=True):
    """What presence and beats say besides. The device's loop replaces the whole value."""

    table: int | None = None
    lexicon: str | None = None
    power: Literal["ok", "low", "was_low"] = "ok"
    battery: Battery | None = None
    worn: tuple[Mapping[str, Any], ...] = ()
    """The worn buttons of a clock, as ``ButtonWear``."""


class WritingFacts(Struct, frozen=True):
    slowest_ns: int = 0
    """The slowest commit since the start; one that still lasts counts too."""
    fault: str = ""
    """Why nothing can be written now; empty: it can."""


class RecordedDevice:
    """A device with a file of record, served to its link from ``begin`` to ``close``. Subclasses take what comes in. ``wants``: which rows the device's key signs."""

    def __init__(self, places: HallPlaces, name: DeviceInfo, record: DeviceRecord, uid: int, wants: Wants) -> None:
        self.link_state = LinkState(up=False)
        """May be read from any thread."""
        self.epoch: str | None = None
        self.key: DeviceKey | None = None
        self.nonces: tuple[str, ...] = ()
        self.writing: Callable[[], WritingFacts] = WritingFacts
        """Asked at each beat in the server's thread, so that the loop has nothing to do with it."""
        self.updated: UpdateOutcome | None = None
        self._places = places
        self._name = name
        self._record = record
        self._uid = uid
        self._signer = HeadSigner(wants)
        self._facts = DeviceFacts()
        self._server: DeviceServer | None = None

    def begin(self) -> None:
        """Wait for the link, in a thread of its own. ``cryptography`` is imported there."""
        link = uid_of(self._places.link_user)
        if link is None:
            get_logger().warning("the link's user is not there; only root may connect", user=self._places.link_user)
        uids = frozenset(uid for uid in (_ROOT, self._uid, link) if uid is not None)
        self._server = DeviceServer(self._places.socket, self, uids)
        self._server.put("up", self._presence)

    @property
    def serves(self) -> bool:
        return self._server is not None

    def close(self) -> None:
        """End the service, once the file of record is closed: the link still gets the last rows."""
        if self._server is not None:
            self._server.close()
            # It may have read the file while the writer closed it.
            if self._record.path is not None and not self.writing().fault:
                merge_wal(self._record.path)

    def committed(self) -> None:
        """Note that there are new rows in the file. Any thread; never blocks."""
        if self._server is not None:
            self._server.committed()

    def publish(self, facts: DeviceFacts) -> None:
        """Take what presence and beats are to say from now on. Never blocks."""
        moved = facts.table != self._facts.table
        self._facts = facts
        if moved and self._server is not None:
            self._server.renew("up")

    def hello(self) -> dict[str, object]:
        key = self.own_key()
        self._end()
        name = self._name
        return {"kind": name.kind, "id": key.device, "key": key.public, "boot": name.boot, "name": name.name, "version": name.version}

    def own_key(self) -> DeviceKey:
        """In the server's thread. Raises ``DeviceKeyError``."""
        from wire.keys import load_key  # noqa: PLC0415 - 24 ms and 6 MB, in the server's thread, after the first picture

        if self.key is None:
            self.key = load_key(self._places.key, self._name.kind[0])
        return self.key

    def new_rows(self) -> None:
        """Sign the head of the file of record where a new row asks for it; the first row names the epoch."""
        if self.epoch is None:
            self._end()
        try:
            with self._record.opened() as connection:
                signed = self._signer.sign(connection, self.own_key)
        except (TileclockError, OSError) as error:
            # The device goes on; the next such row tries again.
            get_logger().warning("the head of the record is not signed", why=str(error))
            return
        if signed is not None:
            self.signed(signed)

    def signed(self, head: SignedHead) -> None:
        """Take a signature, which becomes a row; in the server's thread."""

    def rows(self, after: int, limit: int) -> RowBatch | None:
        batch = self._record.rows(after, limit)
        if batch is not None:
            self._note_epoch(batch.epoch)
        return batch

    def beat(self) -> dict[str, object]:
        end, facts, writing, nonce = self._end(), self._facts, self.writing(), secrets.token_hex(NONCE_BYTES)
        self.nonces = (*self.nonces, nonce)[-NONCES:]
        return {
            "v": VERSION,
            "nonce": nonce,
            "boot": self._name.boot,
            "epoch": end.epoch,
            "seq": end.seq,
            "head": end.head,
            "lexicon": facts.lexicon,
            "power": facts.power,
            "battery": None
            if (charge := facts.battery) is None
            else {"percent": charge.percent, "discharging": charge.discharging, "low": charge.low},
            "worn": facts.worn,
            "card": {"free": self._record.free(), "slowest_ns": writing.slowest_ns, "fault": as_line(writing.fault) or None},
            "update": self.updated,
        }

    def receive(self, topic: str, payload: str, *, retained: bool) -> None:
        """Take an order or a verdict."""

    def heard(self, packet: Mapping[str, Any]) -> None:
        """Take what a clock published."""

    def link(self, state: LinkState) -> None:
        before, self.link_state = self.link_state, state
        if (before.up, before.refused) != (state.up, state.refused):
            get_logger().info("the hall is in reach" if state.up else "the hall is out of reach", why=state.why or "no reason given")

    def _presence(self) -> Presence:
        name = self._name
        return Presence(
            up=True,
            kind=name.kind,
            key="" if self.key is None else self.key.public,
            boot=name.boot,
            epoch=self.epoch,
            table=self._facts.table,
            name=name.name,
            versions={name.program: name.version},
        )

    def _end(self) -> RecordEnd:
        end = self._record.end()
        self._note_epoch(end.epoch)
        return end

    def _note_epoch(self, epoch: str | None) -> None:
        if epoch is not None and epoch != self.epoch:
            self.epoch = epoch
            if self._server is not None:
                self._server.renew("up", "state")
