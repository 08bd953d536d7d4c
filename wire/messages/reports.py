"""What a device reports: its presence, its rows, its beat, its calls and its answers."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field

from wire.messages.base import Count, Epoch, Hash, Key, Line, Nonce, Ns, Report, Signature, Table

MOST_ROWS = 100
"""The most rows of a batch."""
MOST_ROW_BYTES = 60_000
"""The most bytes of a batch's rows; a single row above goes without its fields."""
WireRow: TypeAlias = tuple[Hash, list[Any] | None]
"""A row's hash, and what it covers besides the hash before; None: too large."""
UpdateOutcome: TypeAlias = Literal["installed", "nothing", "failed"]
"""What came of an update; ``nothing``: the sources offer nothing newer."""


class Presence(Report):
    """``up``: the device is connected, or no longer."""

    up: bool
    kind: Literal["clock", "station"]
    key: Key
    boot: Line
    epoch: Epoch | None
    table: Table | None
    name: Line
    versions: dict[Line, Line]


class RowBatch(Report):
    """``rows``: committed rows in order, without a gap."""

    epoch: Epoch
    first: Annotated[int, Field(ge=1)]
    last: Annotated[int, Field(ge=1)]
    previous: Hash
    """The hash before ``first``."""
    rows: Annotated[list[Annotated[WireRow, Field(strict=False)]], Field(min_length=1, max_length=MOST_ROWS)]


class SignedHead(Report):
    """A head of the device's chain with its signature."""

    seq: Count
    head: Hash
    root: Line
    key: Key
    signature: Signature


class FourStamps(Report):
    """An exchange of four stamps, ns: sent by the link, received and answered by the listener, received by the link."""

    t1: Ns
    t2: Ns
    t3: Ns
    t4: Ns


class CardHealth(Report):
    """What the device knows of the card that holds its journal or log."""

    free: Count | None
    """Bytes that are free there; None: the card does not say."""
    slowest_ns: Count
    """How long the slowest commit has taken since the program's start; one that still lasts counts too."""
    fault: Line | None
    """Why nothing can be written now."""


class DeviceBeat(Report):
    """``beat``: a sign of life with the head of the chain."""

    nonce: Nonce
    boot: Line
    epoch: Epoch | None
    seq: Count
    head: Hash
    signed: SignedHead | None
    lexicon: Hash | None
    power: Literal["ok", "low", "was_low"]
    lag: Count
    dropped: Count
    sent: Ns
    echo: FourStamps | None
    card: CardHealth | None = None
    """None: a release before this key."""
    update: UpdateOutcome | None = None
    """What came of the last update that the desk ordered, since the machine's start."""
    values: Annotated[int, Field(ge=0, lt=1 << 32)] | None = None
    """What the device keeps at the broker: ``wire.values.checksum``. None: as from the device, before its link adds it."""


class OpenCall(Report):
    """``call``: the players call the director."""

    since: Ns
    boot: Line
    table: Table | None
    from_: Annotated[Literal["players"], Field(alias="from")] = "players"


class ProposalAnswer(Report):
    """``ack``: what became of a proposal."""

    command: Nonce
    accepted: bool
    reason: Line | None
    at: Ns
    seq: Count
    number: Count | None
    """The number of the event that it became."""
