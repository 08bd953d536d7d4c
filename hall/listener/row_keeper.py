"""Keeps the rows of all devices in the store, and notices what is missing, cut or rewritten (docs/spec/wire.md, "Rows")."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple, TypeAlias

from appliance.log import get_logger
from faults.errors import Phrase, as_phrase, full_stop, in_a_row
from hall.picture import Hall, RemoteDevice
from hall.store.database import FAULTS, described
from hall.store.store import Store, arrival, is_well_formed
from rules.duration import NS
from wire.reports import DeviceBeat, RowBatch, WireRow
from wire.topics import KEPT, checksum

ASK_EVERY_NS: Final = 5 * NS
PATIENCE_NS: Final = NS
"""A beat may overtake the rows and values that it speaks of: they have this long to arrive, or to go on arriving."""


class MissingFrom:
    """The devices that owe something. Instants in ns."""

    def __init__(self) -> None:
        self._due: dict[str, int] = {}
        self._asked: dict[str, int] = {}

    def note(self, device: str, now: int, *, at_once: bool = False) -> None:
        """Note that something of ``device`` is missing; ``at_once``: it is not just on its way."""
        due = now if at_once else now + PATIENCE_NS
        self._due[device] = min(due, self._due.get(device, due))

    def arriving(self, device: str, now: int) -> None:
        """Note that rows of ``device`` are arriving in order, though not yet all."""
        if device in self._due:
            self._due[device] = now + PATIENCE_NS

    def settle(self, device: str) -> None:
        self._due.pop(device, None)

    def due(self, now: int, most: int | None = None) -> Iterator[str]:
        """Yield at most ``most`` devices to ask now (None: all), those first that have waited longest, and note that they are asked."""
        at = ((max(due, self._asked.get(device, -ASK_EVERY_NS) + ASK_EVERY_NS), device) for device, due in self._due.items())
        for _, device in sorted(each for each in at if each[0] <= now)[:most]:
            self._asked[device] = now
            yield device


class KeptValues:
    """The payloads of all devices as they came, and who has to send them again. Instants in ns."""

    def __init__(self) -> None:
        self._payloads: dict[str, dict[str, bytes]] = defaultdict(dict)
        self._missing = MissingFrom()

    def receive(self, device: RemoteDevice, what: str, payload: bytes) -> None:
        if what in KEPT:
            self._payloads[device.id][what] = payload
            if device.beat is not None and self._fits(device.id, device.beat):
                self._missing.settle(device.id)

    def heard(self, device: RemoteDevice, beat: DeviceBeat, now: int) -> None:
        if self._fits(device.id, beat):
            self._missing.settle(device.id)
        else:
            self._missing.note(device.id, now)

    def wanted(self, now: int) -> Iterator[str]:
        return self._missing.due(now)

    def _fits(self, device: str, beat: DeviceBeat) -> bool:
        return beat.values is None or beat.values == checksum(self._payloads[device])


MAX_EPOCHS: Final = 1_000


class TakenRows(NamedTuple):
    """Rows that follow those held of a device's epoch."""

    device: str
    epoch: str
    rows: Sequence[WireRow]


Committed: TypeAlias = Callable[[Sequence[TakenRows]], None]
"""Takes the rows that have just come to the disk."""


class RowKeeper:
    def __init__(self, store: Store, hall: Hall, on_commit: Committed | None = None) -> None:
        self._store, self._hall, self._on_commit = store, hall, on_commit
        self._missing = MissingFrom()
        self._again = 0
        self._taken: list[TakenRows] = []

    def keep(self, device: RemoteDevice, batch: RowBatch, now: int) -> bool:
        if not is_well_formed(batch):
            return False
        self._guarded(device, now, lambda: self._keep_batch(device, batch, now))
        return True

    def heard(self, device: RemoteDevice, beat: DeviceBeat, now: int) -> None:
        self._guarded(device, now, lambda: self._heard(device, beat, now))

    def commit(self, now: int) -> None:
        try:
            wrote = self._store.commit()
        except FAULTS as error:
            self._fail(error, now)
            return
        if not wrote:
            return
        if self._hall.trouble is not None:
            get_logger().info("the listener writes again")
            self._hall.trouble = None
        if self._on_commit is not None:
            self._on_commit(self._taken)
        self._taken.clear()

    def wanted(self, now: int) -> list[tuple[str, str, int]]:
        """Return what to ask for now: device, epoch, and the last row held of it."""
        # While nothing can be written, one device at a time shows whether there is room again.
        due = [self._hall.devices[name] for name in self._missing.due(now, None if self._hall.trouble is None else 1)]
        return [(device.id, device.epoch, device.held) for device in due if device.epoch is not None]

    def _guarded(self, device: RemoteDevice, now: int, act: Callable[[], None]) -> None:
        if self._hall.trouble is not None and now < self._again:
            # A database that is away takes seconds to say so: one try a second.
            self._missing.note(device.id, now)
            return
        try:
            act()
        except FAULTS as error:
            self._missing.note(device.id, now)
            self._fail(error, now)

    def _keep_batch(self, device: RemoteDevice, batch: RowBatch, now: int) -> None:
        if not self._is_open(device, batch.epoch):
            return
        held = self._store.held(device.id, batch.epoch)
        found = arrival(held, batch, lambda seq: self._store.hash_of(device.id, batch.epoch, seq))
        if found is None:
            self._missing.note(device.id, now, at_once=True)
        elif isinstance(found, str):
            self._quarantine(device, batch.epoch, found)
        elif found:
            self._store.append(device.id, batch.epoch, held.seq + 1, found)
            self._taken.append(TakenRows(device.id, batch.epoch, found))
            device.held = batch.last
            if device.missing:
                self._missing.arriving(device.id, now)
            else:
                self._missing.settle(device.id)

    def _heard(self, device: RemoteDevice, beat: DeviceBeat, now: int) -> None:
        if beat.epoch is None or not self._is_open(device, beat.epoch):
            return
        held = self._store.held(device.id, beat.epoch)
        device.held = held.seq
        if beat.seq > held.seq:
            self._missing.note(device.id, now)
        elif beat.seq and beat.head != self._store.hash_of(device.id, beat.epoch, beat.seq):
            self._quarantine(device, beat.epoch, Phrase("row {row} is not the one held", row=beat.seq))
        elif beat.seq < held.seq:
            self._quarantine(
                device, beat.epoch, Phrase("its journal ends at row {row}; the hall holds {held}", row=beat.seq, held=held.seq)
            )

    def _is_open(self, device: RemoteDevice, epoch: str) -> bool:
        """Return whether rows of that epoch are taken; one that is new is noted."""
        known = {each.epoch: each.rewritten for each in self._store.epochs(device.id)}
        if epoch not in known and len(known) >= MAX_EPOCHS:
            said = "{device}: more than {most} journals; no more are taken."
            device.troubles["epochs"] = Phrase(said, device=device.title, most=MAX_EPOCHS)
            return False
        if epoch not in known:
            since = self._store.begin_epoch(device.id, epoch)
            if known:
                said = "{device}: new journal since {since}; the hall holds the one before too."
                device.troubles["epoch"] = Phrase(said, device=device.title, since=since)
        if epoch != device.epoch:
            device.epoch, device.held = epoch, self._store.held(device.id, epoch).seq
        if (why := known.get(epoch)) is not None:
            device.troubles["rows"] = _rewritten(device, why)
        return why is None

    def _quarantine(self, device: RemoteDevice, epoch: str, why: str) -> None:
        self._store.quarantine(device.id, epoch, why)
        self._missing.settle(device.id)
        device.troubles["rows"] = _rewritten(device, why)
        get_logger().warning("rows contradict those held", device=device.id, epoch=epoch, why=why)

    def _fail(self, error: Exception, now: int) -> None:
        """Give up what this turn took in: it waits at the devices, and is asked for again."""
        self._store.give_up()
        for taken in self._taken:
            self._missing.note(taken.device, now)
            device = self._hall.devices[taken.device]
            device.held -= len(taken.rows) if taken.epoch == device.epoch else 0
        self._taken.clear()
        self._again = now + NS
        found = described(error)
        writes = Phrase("The listener cannot write: {why}; rows wait at the tables.", why=as_phrase(found.problem))
        trouble = in_a_row(writes, full_stop(found.remedy))
        if trouble != self._hall.trouble:
            get_logger().error("the listener cannot write", why=found.problem)
        self._hall.trouble = trouble


def _rewritten(device: RemoteDevice, why: str) -> str:
    return Phrase("{device}: {why}. Its rows since then are not taken.", device=device.title, why=why)
