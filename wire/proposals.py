"""What may come into a device, as pydantic models: orders, verdicts, and what the listener asks and answers (docs/spec/wire.md, "What may come in").

Also which settings the director's desk may change at a clock: no time, no rule, no trust, no wiring. And why a device refuses ("Reasons"): ``ack`` carries the
name; each screen says the sentence in its language.
"""

from collections.abc import Mapping
from enum import StrEnum
from itertools import pairwise
from types import MappingProxyType
from typing import Annotated, Final, Literal, Self, TypeAlias, get_args

from pydantic import Field, TypeAdapter, model_validator

from wire.reports import Count, Epoch, Hash, Key, Line, Nonce, Ns, Proposal, SideName, Signature, Table


class RefusalReason(StrEnum):
    MALFORMED = "malformed"
    TOO_LARGE = "too_large"
    BAD_SIGNATURE = "bad_signature"
    NOT_ENROLLED = "not_enrolled"
    OTHER_DEVICE = "other_device"
    OTHER_EPOCH = "other_epoch"
    OTHER_GAME = "other_game"
    STALE = "stale"
    REPEATED = "repeated"
    RETAINED = "retained"
    OUT_OF_DATE = "out_of_date"
    NOT_BETWEEN_GAMES = "not_between_games"
    NO_CHALLENGE = "no_challenge"
    OTHER_CHALLENGE = "other_challenge"
    HAS_VERDICT = "has_verdict"
    GONE_ON = "gone_on"
    FROZEN = "frozen"
    NOT_BY_RULEBOOK = "not_by_rulebook"
    UNKNOWN_RULEBOOK = "unknown_rulebook"
    SET_ON_CARD = "set_on_card"
    UNKNOWN_LANGUAGE = "unknown_language"
    NO_BUZZER = "no_buzzer"
    NO_UPDATES = "no_updates"
    NOT_ALLOWED = "not_allowed"
    BUSY = "busy"

    @property
    def sentence(self) -> str:
        return _SENTENCES[self]


_SENTENCES: Final = {
    RefusalReason.MALFORMED: "The message is not one of version 1.",
    RefusalReason.TOO_LARGE: "The message is larger than 8,192 bytes.",
    RefusalReason.BAD_SIGNATURE: "The signature is not the director's (the station's).",
    RefusalReason.NOT_ENROLLED: "This station has no credential of this hall.",
    RefusalReason.OTHER_DEVICE: "The message is for another clock.",
    RefusalReason.OTHER_EPOCH: "The message is for another journal.",
    RefusalReason.OTHER_GAME: "The message is for another game.",
    RefusalReason.STALE: "The message is older than the last three beats, or than the clock's start.",
    RefusalReason.REPEATED: "This message has been handled already.",
    RefusalReason.RETAINED: "The message was kept by the broker; orders are never kept.",
    RefusalReason.OUT_OF_DATE: "The game has gone on since the message was made.",
    RefusalReason.NOT_BETWEEN_GAMES: "A game is in progress.",
    RefusalReason.NO_CHALLENGE: "This clock adjudicates no challenge.",
    RefusalReason.OTHER_CHALLENGE: "This clock adjudicates another challenge.",
    RefusalReason.HAS_VERDICT: "The challenge already has its verdict.",
    RefusalReason.GONE_ON: "The game has gone on since the verdict: call the director.",
    RefusalReason.FROZEN: "The director has to confirm the times of this clock first.",
    RefusalReason.NOT_BY_RULEBOOK: "The rulebook does not allow it.",
    RefusalReason.UNKNOWN_RULEBOOK: "This clock has no such rulebook.",
    RefusalReason.SET_ON_CARD: "The clock's own settings set this: change it there.",
    RefusalReason.UNKNOWN_LANGUAGE: "This clock does not have this language.",
    RefusalReason.NO_BUZZER: "The buzzer's pin cannot be used: this clock's log says why.",
    RefusalReason.NO_UPDATES: "The clock's own settings do not let the desk update it.",
    RefusalReason.NOT_ALLOWED: "This never comes from the network.",
    RefusalReason.BUSY: "Eight proposals are waiting.",
}


SettingValue: TypeAlias = str | int | bool
DESK_SETTINGS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "language": "language",
        "led_brightness": "led.brightness",
        "buzzer_enabled": "buzzer.enabled",
        "players_choose_rulebook": "director.players_choose_rulebook",
        "results": "director.results",
    }
)
"""For each key of the order, the clock's setting."""


MAX_BYTES: Final = 8_192
MAX_WORDS: Final = 100
DeviceName: TypeAlias = Annotated[str, Field(pattern=r"^[cs]-[a-z2-7]{16}$")]
StationName: TypeAlias = Annotated[str, Field(pattern=r"^s-[a-z2-7]{16}$")]
LONGEST_NAME: Final = 40
LONGEST_WORD: Final = 40
PlayerName: TypeAlias = Annotated[str, Field(max_length=LONGEST_NAME, pattern=r"^[^\x00-\x1f\x7f]*$")]
Text: TypeAlias = Annotated[str, Field(min_length=1, max_length=120, pattern=r"^[^\x00-\x1f\x7f]*$")]
Word: TypeAlias = Annotated[str, Field(min_length=1, max_length=LONGEST_WORD, pattern=r"^[^\x00-\x1f\x7f]*$")]
Body: TypeAlias = Annotated[str, Field(max_length=MAX_BYTES)]
"""A JSON object as text: the signature covers exactly these characters."""
_DAY_S: Final = 86_400
LONGEST_TIMER_S: Final = 3_600
LONGEST_LABEL: Final = 24


class _OrderBase(Proposal):
    id: Nonce
    issuer: Line
    device: DeviceName
    epoch: Epoch
    game: Count
    number: Count
    """The last event of the game that the issuer saw."""
    nonce: Nonce
    """That of the device's last beat."""


class NoticeOrder(_OrderBase):
    do: Literal["notice"]
    text: Text
    seconds: Annotated[int, Field(ge=5, le=600)]


class Assign(_OrderBase):
    do: Literal["assign"]
    table: Table
    left: PlayerName
    right: PlayerName
    lexicon: Hash | None
    """The list that the table is to be judged by; None: no word about it."""


class SetUpKeys(Proposal):
    """Rulebook and allowances of a next game, as an order and the journal's row of it have them."""

    rulebook: Annotated[str, Field(min_length=1, max_length=64, pattern=r"^[a-z0-9][a-z0-9._-]*$")]
    left_seconds: Annotated[int, Field(ge=0, le=_DAY_S)] | None
    """None: regulation."""
    right_seconds: Annotated[int, Field(ge=0, le=_DAY_S)] | None


class SetUpNext(SetUpKeys, _OrderBase):
    do: Literal["setup"]


class StopAsked(_OrderBase):
    do: Literal["stop"]
    text: Annotated[str, Field(max_length=120, pattern=r"^[^\x00-\x1f\x7f]*$")]
    """Empty: the clock says it in its own language."""


class Clear(_OrderBase):
    do: Literal["clear"]


class RoundBegins(_OrderBase):
    do: Literal["round"]
    began: Ns | None
    """An instant of this clock's own CLOCK_MONOTONIC; None: no start is set."""


class SetTimer(_OrderBase):
    """One countdown for a whole hall, as duplicate has it. It is no game."""

    do: Literal["timer"]
    begins: Ns | None
    """An instant of this clock's own CLOCK_MONOTONIC; None: the timer goes."""
    seconds: Annotated[int, Field(ge=5, le=LONGEST_TIMER_S)] | None = None
    """None exactly where ``begins`` is."""
    warnings: Annotated[tuple[Annotated[int, Field(ge=1)], ...], Field(max_length=5)] = ()
    """Seconds before the end, falling."""
    label: Annotated[str, Field(max_length=LONGEST_LABEL, pattern=r"^[^\x00-\x1f\x7f]*$")] = ""

    @model_validator(mode="after")
    def _counts_down(self) -> Self:
        if (self.begins is None) is not (self.seconds is None):
            raise ValueError("expected begins and seconds, or neither")
        if any(later >= earlier for earlier, later in pairwise((self.seconds or 0, *self.warnings))):
            raise ValueError("expected warnings that fall, each shorter than the timer")
        return self


class ChangeSettings(_OrderBase):
    """Settings that touch no time, no rule, no trust and no wiring: those of ``DESK_SETTINGS`` and no others. None: it stays as it is."""

    do: Literal["settings"]
    language: Annotated[str, Field(pattern=r"^[a-z]{2,3}$")] | None = None
    led_brightness: Annotated[int, Field(ge=0, le=100)] | None = None
    buzzer_enabled: bool | None = None
    players_choose_rulebook: bool | None = None
    results: Literal["paper", "clock"] | None = None

    @model_validator(mode="after")
    def _changes_something(self) -> Self:
        if not self.settings:
            raise ValueError("expected a setting to change")
        return self

    @property
    def settings(self) -> dict[str, SettingValue]:
        return {name: value for key, name in DESK_SETTINGS.items() if (value := getattr(self, key)) is not None}


class OrderUpdate(_OrderBase):
    """The machine is to install what its own package sources offer. It says nothing else: no name, no version, no address."""

    do: Literal["update"]


Order: TypeAlias = NoticeOrder | Assign | SetUpNext | StopAsked | Clear | RoundBegins | SetTimer | ChangeSettings | OrderUpdate
ORDER: Final[TypeAdapter[Order]] = TypeAdapter(Annotated[Order, Field(discriminator="do")])
ORDERS: Final[Mapping[str, type[Order]]] = MappingProxyType(
    {get_args(order.model_fields["do"].annotation)[0]: order for order in get_args(Order)}
)


class SignedBody(Proposal):
    """A body as sent, and who has signed it: of an order the director's key, of a credential, which shows that a key is of a device of the hall, the hall's."""

    body: Body
    signature: Signature


StationAct: TypeAlias = Literal["verdict", "conceded", "withdrawn", "call"]
ACTS: Final = frozenset((*ORDERS, *get_args(StationAct)))
"""Every ``do`` that may come in at all: an order's or a station's."""


class VerdictBody(Proposal):
    """What a station proposes to a clock. ``acceptable``, ``by`` and ``challenge`` are null exactly where ``do`` has no use for them."""

    id: Nonce
    station: StationName
    device: DeviceName
    epoch: Epoch
    game: Count
    nonce: Nonce
    """That of the clock's state."""
    do: StationAct
    challenge: Annotated[int, Field(ge=1, lt=1 << 63)] | None
    acceptable: bool | None = None
    by: SideName | None = None
    count: Annotated[int, Field(ge=1, le=MAX_WORDS)] | None = None
    words: Annotated[tuple[Word, ...], Field(max_length=MAX_WORDS)] = ()
    """As typed, for the face; never which one failed."""
    lexicon: Hash | None = None
    row: Count | None = None
    replaces: Nonce | None = None
    """The id of the verdict that this one corrects."""

    @model_validator(mode="after")
    def _keys_of_do(self) -> Self:
        verdict, conceded, call = self.do == "verdict", self.do == "conceded", self.do == "call"
        fits = (
            (self.acceptable is not None) is verdict
            and (self.by is not None) is conceded
            and (self.challenge is None) is call
            and (verdict or self.replaces is None)
        )
        if not fits:
            raise ValueError(f"the keys do not fit do={self.do}")
        return self


class CredentialBody(Proposal):
    device: DeviceName
    key: Key
    not_after_day: Count
    """Days since 1970."""


class SignedVerdict(SignedBody):
    credential: SignedBody


class MissingRows(Proposal):
    """``want``: the listener holds the rows of ``epoch`` up to ``after``."""

    epoch: Epoch
    after: Count


class MissingValues(Proposal):
    """``want``: the listener lacks what the device keeps at the broker."""

    values: Literal[True] = True


class TimeAnswer(Proposal):
    """``time``: the listener's answer to a beat."""

    boot: Line
    t1: Ns
    t2: Ns
    t3: Ns
