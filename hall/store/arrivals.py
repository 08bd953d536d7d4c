"""What an arriving batch of rows is to the rows held so far (docs/spec/wire.md, "Rows"). Pure: the store does what comes out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

from appliance.records.chain import GENESIS, chained
from wire.messages.reports import RowBatch, WireRow


@dataclass(frozen=True, slots=True)
class HeldEnd:
    """The last row that the listener holds of an epoch: its sequence and hash."""

    seq: int
    head: str


NONE_HELD: Final = HeldEnd(0, GENESIS)


@dataclass(frozen=True, slots=True)
class NewRows:
    """The rows that follow what is held; none: the batch was a repetition."""

    rows: tuple[WireRow, ...]
    held: HeldEnd
    """What is held once they are stored."""


@dataclass(frozen=True, slots=True)
class Gap:
    """Rows are missing before the batch: it is dropped, and everything after ``after`` is asked for."""

    after: int


@dataclass(frozen=True, slots=True)
class Rewritten:
    """The chain contradicts the rows held, or itself: nothing of this epoch is taken any more."""

    seq: int
    hash: str
    """The hash that came."""
    fields: list[object] | None
    """The fields that came; None: only the hash is known."""
    why: str
    """A clause for people."""


Arrival: TypeAlias = NewRows | Gap | Rewritten


def is_well_formed(batch: RowBatch) -> bool:
    """Return whether the batch has the rows ``first`` to ``last``, each with its own sequence."""
    numbered = all(fields is None or fields[:1] == [seq] for seq, (_, fields) in enumerate(batch.rows, batch.first))
    return batch.last == batch.first + len(batch.rows) - 1 and numbered


def arrival(held: HeldEnd, batch: RowBatch, hash_of: Callable[[int], str | None]) -> Arrival:
    """Return what becomes of a well-formed ``batch``.

    Args:
        held: the last row held of the batch's epoch.
        batch: what came.
        hash_of: returns the hash of a row that is held.
    """
    before = batch.first - 1
    if before > held.seq:
        return Gap(held.seq)
    if batch.previous != (hash_of(before) if before else GENESIS):
        return Rewritten(before, batch.previous, None, f"row {before} is not the one held")
    new: list[WireRow] = []
    for seq, (digest, fields) in enumerate(batch.rows, batch.first):
        if seq <= held.seq:
            if digest != hash_of(seq):
                return Rewritten(seq, digest, fields, f"row {seq} is not the one held")
            continue
        if not _follows(held, digest, fields, batch.epoch):
            return Rewritten(seq, digest, fields, f"row {seq} does not follow from the one before")
        held = HeldEnd(seq, digest)
        new.append((digest, fields))
    return NewRows(tuple(new), held)


def _follows(held: HeldEnd, digest: str, fields: list[object] | None, epoch: str) -> bool:
    if held.seq == 0 and not digest.startswith(epoch):
        return False
    # A row that is too large for a message comes without its fields: only the row after it can be checked.
    return fields is None or digest == chained(held.head, fields)
