"""A manual adjudication as a frozen value: the slip, who has ruled on it and how, and what stands so far. ``word_judge`` takes it from one stage to the next."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from kiosk.challenge.consequence import Consequence, consequence
from kiosk.challenge.context import StationContext
from kiosk.challenge.entry import Kind
from kiosk.challenge.flow import Asked, Flow, Link, Notice, Step
from kiosk.director.opinion import Opinion
from kiosk.director.review import Ruling, Seat, next_seat, standing_ruling


class Stage(StrEnum):
    """Where an adjudication stands."""

    SLIP = "slip"
    """The slip is written, then read back: were these words played? (2017 IV.K.2.b)"""
    JUDGE = "judge"
    """Who adjudicates."""
    BOOK = "book"
    """The judge looks in the book, then says the verdict."""
    KEEPING = "keeping"
    """The shell writes the verdict; it answers before anything else happens."""
    RULED = "ruled"
    """The ruling that stands so far, and whether it can be reviewed."""


@dataclass(frozen=True, slots=True)
class Adjudication:
    """A manual adjudication in progress."""

    slip: Flow
    """The slip as far as it is written: the players' own flow, which here never gets beyond CHECKING."""
    stage: Stage = Stage.SLIP
    side_known: bool = True
    """The slip says on which side the challenger is."""
    judge: str = ""
    rulings: tuple[Ruling, ...] = ()
    given: bool | None = None
    """The verdict that is being kept."""
    notice: Notice | None = None

    @property
    def seat(self) -> Seat | None:
        """Who adjudicates now, or may be asked next; None where the ruling is final."""
        return next_seat(self.slip.standing.rulebook.challenge, self.rulings)

    @property
    def ruling(self) -> Ruling | None:
        """The ruling that stands."""
        return standing_ruling(self.rulings)

    @property
    def follows(self) -> Consequence | None:
        """What the ruling that stands means at the table."""
        ruling, rule = self.ruling, self.slip.standing.rulebook.challenge
        return None if ruling is None else consequence(rule, len(self.slip.words), acceptable=ruling.acceptable)

    def replace(self, **changes: Any) -> Adjudication:
        """Return the adjudication with some of its fields replaced; what was noticed before is gone."""
        return replace(self, **{"notice": None, **changes})


def new_slip(standing: StationContext, at: int) -> Adjudication:
    """Return an adjudication with an empty slip at ``at`` (ns): is the clock stopped? (2017 IV.K.3.a)."""
    # A damaged lexicon keeps the station from judging, not a judge with a book: its trouble stands on the idle page only, and here nothing is looked up.
    return Adjudication(Flow(standing, Step.TABLE, Asked.CLOCK, at, at, standing.language))


def from_opinion(standing: StationContext, opinion: Opinion, at: int) -> Adjudication:
    """Return an adjudication of a play that waits: the slip is written, and read back first; where judges have ruled it was, and the next one is asked."""
    slip = new_slip(standing, at).slip.replace(
        step=Step.CHECKING,
        asked=Asked.COUNT,
        digits=str(opinion.table),
        challenger=opinion.challenger,
        count=len(opinion.words),
        words=opinion.words,
        # The same words once more: so linked, the flow has no way back to change them.
        link=Link(Kind.SECOND_OPINION, opinion.first, 0),
    )
    stage = Stage.JUDGE if opinion.rulings else Stage.SLIP
    return Adjudication(slip, stage, side_known=opinion.challenger is not None, rulings=opinion.rulings)
