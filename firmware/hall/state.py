"""What the hall has changed at a clock: its place, a notice, a request to stop, the last verdict of a station. No game depends on it."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from firmware.texts import languages
from game.place import Assignment
from rules.side import BySide
from wire.local.device import JoinRequest
from wire.reasons import RefusalReason


class LinkSign(StrEnum):
    """Whether the hall is in reach; the values are keys of the texts."""

    UP = "up"
    DOWN = "down"
    REFUSED = "refused"
    """The broker refuses what this clock publishes."""


@dataclass(frozen=True, slots=True)
class ShownNotice:
    """A line from the desk."""

    text: str
    until: int
    """The instant (ns) from which it is no longer shown."""


@dataclass(frozen=True, slots=True)
class StopRequest:
    """The director asks the players to stop their clock."""

    text: str
    """Empty: the clock's own words."""
    at: int
    """The instant of its arrival, ns."""


@dataclass(frozen=True, slots=True)
class StationVerdict:
    """The last verdict that this clock has taken from a station."""

    id: str
    station: str
    number: int
    """The number of its event."""
    at: int
    """The instant of its arrival, ns."""
    acceptable: bool
    count: int
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class VerdictRefused:
    """A station's message that this clock has not taken: both say so."""

    reason: RefusalReason
    at: int
    """The instant of its arrival, ns."""


def _languages() -> frozenset[str]:
    return frozenset(languages())


@dataclass(frozen=True, slots=True)
class OpenSettings:
    """What the desk may set at this clock."""

    on_card: frozenset[str] = frozenset()
    """Settings that the clock's own files or options set, by name: those stay."""
    languages: frozenset[str] = field(default_factory=_languages)
    """The languages that this clock has."""


@dataclass(frozen=True, slots=True)
class HallState:
    """All of it. Instants in ns of the hands' clock."""

    place: Assignment = Assignment()  # noqa: RUF009 - a frozen value
    hard_freeze: bool = False
    """This clock lets an order stop it."""
    open: OpenSettings = field(default_factory=OpenSettings)
    updates: bool = False
    """The owner lets the desk order an update, and the machine can make it."""
    updating: bool = False
    """An update is ordered: no press counts until the clock is started again."""
    link: LinkSign = LinkSign.DOWN
    notice: ShownNotice | None = None
    stop: StopRequest | None = None
    verdict: StationVerdict | None = None
    refused: VerdictRefused | None = None
    joins: JoinRequest | None = None
    """The clock asks a hall to take it in."""
    played: BySide[str] | None = None
    """Who has played the game that still stands here, where ``place`` already names the players of the next one."""
