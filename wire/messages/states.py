"""``state`` of a clock and of a station: what stands at one instant. A running clock costs no further message, since everybody computes on."""

from __future__ import annotations

from typing import Literal, TypeAlias

from wire.messages.base import Count, Epoch, Hash, Line, Ns, Report, SideName, Table

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
    """The challenge that is being adjudicated."""

    number: Count
    """Of its ``challenge`` event: a verdict names it."""
    challenger: SideName
    words_asked: bool
    """The rulebook counts the words."""


class PlayerNames(Report):
    """The names; empty where there is none."""

    left: Line
    right: Line


class OfferedSetUp(Report):
    """The next game that the desk has set up and the players have not begun; the times in ns."""

    rulebook: Line
    left: Ns
    right: Ns


class ClockReport(Report):
    """``state`` of a clock."""

    boot: Line
    epoch: Epoch | None
    game: Count
    number: Count
    """The game's last event."""
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
    """What this clock does when the director asks to stop."""
    lexicon: Hash | None
    offered: OfferedSetUp | None = None
    """A clock of an earlier release does not say."""


class NamedLexicon(Report):
    """The list that a station judges by."""

    name: Line
    edition: Line
    words: Count
    sha256: Hash


class StationReport(Report):
    """``state`` of a station."""

    boot: Line
    epoch: Epoch | None
    at: Ns
    busy: bool
    table: Table | None
    lexicon: NamedLexicon | None
    trouble: Line | None
