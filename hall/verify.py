"""What the hall's rows prove of each journal or log: whether it is whole, and up to where its device signed it.

Also a device's own file against what the hall holds of it.
"""

import json
import re
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from appliance.records.chain import GENESIS, chained, short
from appliance.records.rows import hash_of, links
from appliance.records.sqlite import reading
from faults.errors import Phrase, in_a_row
from game.exact_json import decode
from hall.errors import HallError
from hall.results.book import GameOfClock
from hall.store.store import KnownEpoch, StoreReader, stored_rows
from records.journal import JOURNAL, Kind
from records.log import LOG
from records.receipt import receipts
from wire.keys import is_genuine
from wire.record import SIGNED, Proof, signed_by, signed_head_in
from wire.topics import CLOCK, EPOCH_DIGITS, STATION, is_station


class EpochProof(Struct, frozen=True):
    device: str
    epoch: str
    rows: int
    """Whole up to this row."""
    head: str
    without_fields: int
    """Rows among them that were too large for a message: only their hashes are held."""
    signed: int
    """Signed by the device up to this row; 0: nothing."""
    fault: str | None
    """What is wrong, as a clause."""

    @property
    def sentence(self) -> str:
        parts = [f"whole up to row {self.rows}, whose hash begins {short(self.head)}" if self.rows else "no rows"]
        if self.without_fields:
            parts.append(f"{self.without_fields} of them only by their hash")
        parts.append(f"signed by this device up to row {self.signed}" if self.signed else "not signed")
        said = f"{self.device}, journal {self.epoch}: {'; '.join(parts)}."
        return said if self.fault is None else f"{said} Broken: {self.fault}."


def epoch_proof(store: StoreReader, device: str, known: KnownEpoch) -> EpochProof:
    hashes = [GENESIS]
    without, signed, fault = 0, 0, known.rewritten
    for row in store.rows(device, known.epoch):
        fields = None if row.fields is None else json.loads(row.fields)
        if row.seq != len(hashes) or (fields is not None and chained(hashes[-1], fields) != row.hash):
            fault = Phrase("row {row} is missing or was changed in the hall's own file", row=len(hashes))
            break
        hashes.append(row.hash)
        if fields is None:
            without += 1
        elif fields[1:2] == [SIGNED]:
            signed = max(signed, _signed_up_to(device, known.epoch, fields, hashes))
    return EpochProof(device, known.epoch, len(hashes) - 1, hashes[-1], without, signed, fault)


def _signed_up_to(device: str, epoch: str, fields: list[object], hashes: list[str]) -> int:
    """Return the row whose head the device has signed in the row ``fields``; 0: none of those before it."""
    found = signed_head_in(fields)
    fits = found is not None and found.head in hashes[found.seq : found.seq + 1] and is_genuine(device, epoch, found)
    return found.seq if found is not None and fits else 0


def compared(store: StoreReader, path: Path, key: str | None) -> list[Proof]:
    """Return how the file at ``path`` and the hall's rows of it compare, and what its last signature shows if there is a ``key`` (see ``signed_by``).

    Raises ``HallError`` if there is nothing to compare.
    """
    with _connected(path) as (connection, kind):
        epoch = (hash_of(connection, 1) or "")[:EPOCH_DIGITS]
        device = store.device_of(epoch)
        if device is None:
            found = f"one whose first hash begins {epoch}" if epoch else "one without rows"
            raise HallError(where=path, expected="a journal or log that the hall knows", found=found, remedy="Is this the hall's own file?")
        held = {row.seq: row.hash for row in store.rows(device, epoch)}
        equal, own, head = 0, 0, GENESIS
        for link in links(connection, 1):
            # Not the hash that the file states, but that of what stands in it.
            head = chained(head, link.row)
            own, equal = link.seq, link.seq if held.get(link.seq) == head else equal
        comparison = _comparison(device, equal, own, max(held, default=0))
        return [comparison] if key is None else [comparison, signed_by(connection, kind, key)]


_APPLICATION: Final = slice(68, 72)
"""Where a file of SQLite says whose it is."""


def receipt_proof(store: StoreReader, text: str) -> tuple[Proof, GameOfClock | None]:
    """Return whether ``text``, the receipt that a phone has read from a clock, says what the hall's own rows say, and whether that clock has signed it; and of which game it is.

    A clock's id is its key's, and rows come from it only by a certificate that the hall's authority has signed for that key: so a signature of that id counts by the hall's key.
    """
    given = "\n".join(line.strip() for line in text.split("\n")).strip()
    found = re.search(rf"^([0-9a-f]{{{EPOCH_DIGITS}}}) [1-9][0-9]* [0-9a-f]{{64}}$", given, re.MULTILINE)
    if found is None:
        return Proof(Phrase("This is no receipt of a clock: it names no row of a journal."), holds=False), None
    epoch = found[1]
    device = store.device_of(epoch)
    if device is None or is_station(device):
        return Proof(
            Phrase("The hall knows no clock's journal {journal}: its rows may not have come yet.", journal=epoch), holds=False
        ), None
    proof = next(epoch_proof(store, device, each) for each in store.epochs(device) if each.epoch == epoch)
    held = (
        (each.hash, json.loads(each.fields)) for each in store.rows(device, epoch) if each.fields is not None and each.seq <= proof.rows
    )
    rows = list(stored_rows(held))
    receipt = next((each for each in receipts(rows, epoch) if given in (each.text, each.whole)), None)
    if receipt is None:
        return Proof(
            Phrase("Not genuine: no result in the journal {journal} of {device} reads like that.", journal=epoch, device=device),
            holds=False,
        ), None
    signed = (
        Phrase("signed by {device}", device=device) if proof.signed >= receipt.seq else Phrase("not yet signed by {device}", device=device)
    )
    game = next(each.row.game for each in rows if each.seq == receipt.seq)
    later = [
        decode(each.row.body).get("do") for each in rows if each.seq > receipt.seq and (each.row.kind, each.row.game) == (Kind.EVENT, game)
    ]
    # What may have changed what counts.
    changed = ", ".join(str(do) for do in later if do in ("undo", "reopen", "call", "result"))
    genuine = Phrase("Genuine: row {row} of the hall's own rows, {signed}.", row=receipt.seq, signed=signed)
    since = [Phrase("In that game since: {events}.", events=changed)] if changed else []
    return Proof(in_a_row(genuine, *since)), (device, f"{epoch}/{game}")


def _comparison(device: str, equal: int, own: int, held: int) -> Proof:
    """Return what holds where a file ends at row ``own`` and the hall's rows at ``held``, and both are the same up to ``equal``."""
    if equal < min(own, held):
        return Proof(f"Rewritten: row {equal + 1} is not the one that the hall holds of {device}; the rows before it are.", holds=False)
    if own < held:
        return Proof(f"Cut: it ends at row {own}; the hall holds {held} rows of {device}.", holds=False)
    more = f" Row {held + 1} to row {own} have not come to the hall." if own > held else ""
    return Proof(f"The hall holds the same {held} rows of {device}.{more}")


@contextmanager
def _connected(path: Path) -> Iterator[tuple[sqlite3.Connection, str]]:
    """Yield a clock's journal or a station's log; what is wrong with it, the reader says."""
    is_log = False
    with suppress(OSError):
        if path.is_file():
            with path.open("rb") as file:
                is_log = file.read(_APPLICATION.stop)[_APPLICATION] == LOG.schema.application_id.to_bytes(4, "big")
    with reading(path, LOG.schema if is_log else replace(JOURNAL.schema, kind="a clock's journal or a station's log")) as connection:
        yield connection, STATION if is_log else CLOCK
