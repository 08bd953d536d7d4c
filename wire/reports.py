"""What a device reports, as pydantic models: its presence, its rows, its beat, its calls, its answers, and its state (docs/spec/wire.md, "Reports"). Also what it hears of its link.

``state`` of a clock and of a station is what stands at one instant. A running clock costs no further message, since everybody computes on. All messages have in
common: version 1, strict types, JSON.
"""

from typing import Annotated, Any, Final, Literal, TypeAlias

from msgspec import Struct
from pydantic import BaseModel, ConfigDict, Field

from wire.topics import VERSION

LAST_NS: Final = (1 << 63) - 1
Ns: TypeAlias = Annotated[int, Field(ge=-LAST_NS - 1, le=LAST_NS)]
"""An instant of the sender's CLOCK_MONOTONIC, or a duration."""
Count: TypeAlias = Annotated[int, Field(ge=0, lt=1 << 63)]
Hash: TypeAlias = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Epoch: TypeAlias = Annotated[str, Field(pattern=r"^[0-9a-f]{16}$")]
Nonce: TypeAlias = Annotated[str, Field(pattern=r"^[0-9a-f]{32}$")]
Key: TypeAlias = Annotated[str, Field(pattern=r"^[A-Za-z0-9+/]{43}=$")]
"""An Ed25519 public key, raw, in base64."""
Signature: TypeAlias = Annotated[str, Field(pattern=r"^[A-Za-z0-9+/]{86}==$")]
Table: TypeAlias = Annotated[int, Field(ge=1, le=999)]
LONGEST_LINE: Final = 200
Line: TypeAlias = Annotated[str, Field(max_length=LONGEST_LINE, pattern=r"^[^\x00-\x1f\x7f]*$")]
SideName: TypeAlias = Literal["left", "right"]


def as_line(text: str) -> str:
    """Return ``text`` as a ``Line``: what cannot be printed becomes a blank, and a long text is cut."""
    return "".join(each if each.isprintable() else " " for each in text)[:LONGEST_LINE]


class Report(BaseModel):
    """What a device says of itself. Keys of later releases are ignored."""

    model_config = ConfigDict(frozen=True, strict=True, extra="ignore")
    v: Literal[1] = VERSION


class Proposal(BaseModel):
    """What may change something. An unknown key is refused: it may restrict the meaning."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")
    v: Literal[1] = VERSION


MAX_ROWS = 100
MAX_ROW_BYTES = 60_000
"""The most bytes of a batch's rows; a single row above goes without its fields."""
WireRow: TypeAlias = tuple[Hash, list[Any] | None]
"""A row's hash, and what it covers besides the hash before; None: too large."""
UpdateOutcome: TypeAlias = Literal["installed", "nothing", "failed"]
"""What came of an update; ``nothing``: the sources offer nothing newer."""


class Presence(Report):
    up: bool
    kind: Literal["clock", "station"]
    key: Key
    boot: Line
    epoch: Epoch | None
    table: Table | None
    name: Line
    versions: dict[Line, Line]


class RowBatch(Report):
    epoch: Epoch
    first: Annotated[int, Field(ge=1)]
    last: Annotated[int, Field(ge=1)]
    previous: Hash
    rows: Annotated[list[Annotated[WireRow, Field(strict=False)]], Field(min_length=1, max_length=MAX_ROWS)]


class SignedHead(BaseModel):
    """A head of the device's chain with its signature: the body of a row of journal or log."""

    model_config = Report.model_config
    v: Literal[2] = 2
    """The version of the bytes that are signed. Version 1 had a hash of the hall in them."""
    seq: Count
    head: Hash
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


class BatteryReport(Report):
    percent: Annotated[int, Field(ge=0, le=100)]
    discharging: bool
    low: bool
    """It is to be changed or charged now."""


class ButtonWear(Report):
    """A button whose contact has changed since its first games: it is to be replaced before it loses a press."""

    button: Line
    sign: Literal["sticks", "opens", "touches", "bounces"]
    before: Count
    now: Count
    """The bounce in ms; of the other signs, the share of the presses in percent."""


STALE_NS: Final = 15_000_000_000


class DeviceBeat(Report):
    """``beat``: a sign of life with the head of the chain."""

    nonce: Nonce
    boot: Line
    epoch: Epoch | None
    seq: Count
    head: Hash
    lexicon: Hash | None
    power: Literal["ok", "low", "was_low"]
    lag: Count
    dropped: Count
    sent: Ns
    echo: FourStamps | None
    card: CardHealth | None = None
    """None: a release before this key."""
    battery: BatteryReport | None = None
    """None: there is none that says how full it is."""
    worn: Annotated[list[ButtonWear], Field(max_length=10)] = Field(default_factory=list)
    update: UpdateOutcome | None = None
    """What came of the last update that the desk ordered, since the machine's start."""
    values: Annotated[int, Field(ge=0, lt=1 << 32)] | None = None
    """What the device keeps at the broker: ``wire.topics.checksum``. None: as from the device, before its link adds it."""


class OpenCall(Report):
    since: Ns
    boot: Line
    table: Table | None
    from_: Annotated[Literal["players"], Field(alias="from")] = "players"


class ProposalAnswer(Report):
    command: Nonce
    accepted: bool
    reason: Line | None
    at: Ns
    seq: Count
    number: Count | None


Phase: TypeAlias = Literal["ready", "late", "running", "hold", "neutral", "out_play", "adjudication", "over"]


class SideReport(Report):
    """One player's account. While this side runs, ``remaining_ns`` falls and ``used_ns`` grows from ``at`` on."""

    remaining_ns: Ns
    used_ns: Ns
    penalty: Ns
    credit_ns: Ns
    points: Ns
    infractions: Ns


class StandingChallenge(Report):
    number: Count
    """Of its ``challenge`` event: a verdict names it."""
    challenger: SideName
    words_asked: bool


class PlayerNames(Report):
    left: Line
    right: Line


class ArrivedPlayers(Report):
    left: bool
    right: bool


class OfferedSetUp(Report):
    """The next game that the desk has set up and the players have not begun; the times in ns."""

    rulebook: Line
    left: Ns
    right: Ns


class ClockReport(Report):
    boot: Line
    nonce: Nonce
    """Of this start of the clock's program: what a station sends names it."""
    epoch: Epoch | None
    game: Count
    number: Count
    at: Ns
    """The instant of this state. Time that counts from later on (a delay before it is charged) has that later instant here."""
    phase: Phase
    running: SideName | None
    turn: SideName | None
    holder: SideName | None
    reason: Line | None
    called: bool
    left: SideReport
    right: SideReport
    pending: SideName | None
    """Whose out play waits."""
    challenge: StandingChallenge | None
    rulebook: Line
    table: Table | None
    names: PlayerNames
    between_games: bool
    """Names, table, setup and settings may come in."""
    freeze: Literal["advisory", "hard"]
    lexicon: Hash | None
    offered: OfferedSetUp | None = None
    """A clock of an earlier release does not say."""
    timer: Ns | None = None
    """When the hall's timer that this clock shows ends, in ns of its CLOCK_MONOTONIC; None: it shows none."""
    here: ArrivedPlayers | None = None
    """Which of the named players have pressed on arrival; None: they are not asked to."""


class NamedLexicon(Report):
    name: Line
    edition: Line
    words: Count
    sha256: Hash


class StationReport(Report):
    boot: Line
    epoch: Epoch | None
    at: Ns
    busy: bool
    table: Table | None
    lexicon: NamedLexicon | None
    trouble: Line | None


class JoinRequest(Struct, frozen=True):
    hall: str
    digits: str
    """What the director compares, as 1234-5678."""
    code: tuple[str, ...] = ()
    """The QR code to scan in place of that: its rows, of 0 and 1 each; empty: none."""


class LinkState(Struct, frozen=True):
    up: bool
    why: str = ""
    """Why not, as a sentence; empty: no reason is known."""
    refused: bool = False
    """The broker refuses what this device publishes."""
    joins: JoinRequest | None = None
    """In the place of a link, `tilehall enrol` is connected, and waits for the director."""
