"""What the hall knows of a table: its clock tells whether it stands, who challenges and which challenge it is, so no player has to be asked."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from rules.duration import NS
from rules.side import Side

LOOK_NS = 3 * NS // 2
"""How long the players wait for their clock before the station asks them."""
ANSWER_NS = 3 * NS
"""How long a clock may take to answer before the page says so."""


class NoFacts(StrEnum):
    """Why nothing is known of a table."""

    UNKNOWN = "unknown"
    """No clock says that it stands there, or it is not heard any more."""
    AMBIGUOUS = "ambiguous"
    """Two clocks say so."""


@dataclass(frozen=True, slots=True)
class ClockChallenge:
    """A challenge at a clock, as a verdict has to name it."""

    device: str
    epoch: str
    game: int
    challenge: int
    """The number of its event."""
    challenger: Side
    """On the clock."""


@dataclass(frozen=True, slots=True)
class TableFacts:
    """What a clock says of its table."""

    device: str
    running: bool
    challenge: ClockChallenge | None
    """The challenge that it adjudicates."""
    last_play: bool
    """The challenged play was the last one of the game."""
    called: bool
    """The director is called."""


HeardFacts: TypeAlias = TableFacts | NoFacts


class ClockAnswer(StrEnum):
    """What is known of a message to a clock."""

    WAITING = "waiting"
    TAKEN = "taken"
    REFUSED = "refused"
    UNSENT = "unsent"
    """The link is down."""
    SILENT = "silent"
    """No answer came in time; one may still come."""


@dataclass(frozen=True, slots=True)
class SentVerdict:
    """A verdict, a concession or a withdrawal on its way to the clock."""

    id: str
    to: ClockChallenge
    at: int
    """The instant of sending, ns."""
    answer: ClockAnswer = ClockAnswer.WAITING
    reason: str = ""
    """The clock's refusal, by its name on the wire."""

    @property
    def may_stand(self) -> bool:
        """Whether the clock may have taken it: then a correction has to name it."""
        return self.answer in (ClockAnswer.TAKEN, ClockAnswer.WAITING, ClockAnswer.SILENT)
