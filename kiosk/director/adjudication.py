"""A manual adjudication as a frozen value: the slip, the rulings so far, and which one is valid. ``word_judge`` defines the transitions."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from game.challenge_log.entry import Kind
from kiosk.challenge.consequence import Consequence, consequence
from kiosk.challenge.context import StationContext
from kiosk.challenge.flow import EarlierRow, Flow, Notice, Question, Step
from kiosk.director.opinion import Opinion
from kiosk.director.review import Ruling, Seat, next_seat, valid_ruling


class Stage(StrEnum):
    """The stage of an adjudication."""

    SLIP = "slip"
    """The slip is written and read back: were these words played? (2017 IV.K.2.b)"""
    JUDGE = "judge"
    """Who adjudicates?"""
    BOOK = "book"
    """The judge consults the book, then enters the verdict."""
    KEEPING = "keeping"
    """The shell logs the verdict and answers before any other event."""
    RULED = "ruled"
    """The valid ruling, and whether it can be reviewed."""


@dataclass(frozen=True, slots=True)
class Adjudication:
    """A manual adjudication in progress."""

    slip: Flow
    """The slip so far: the players' own flow, which here never goes beyond CHECKING."""
    stage: Stage = Stage.SLIP
    side_known: bool = True
    """The slip says on which side the challenger is."""
    judge: str = ""
    rulings: tuple[Ruling, ...] = ()
    pending_verdict: bool | None = None
    """The verdict being logged."""
    notice: Notice | None = None

    @property
    def seat(self) -> Seat | None:
        """Who adjudicates now, or may be asked next; None: the ruling is final."""
        return next_seat(self.slip.context.rulebook.challenge, self.rulings)

    @property
    def ruling(self) -> Ruling | None:
        """The valid ruling."""
        return valid_ruling(self.rulings)

    @property
    def follows(self) -> Consequence | None:
        """The consequence of the valid ruling at the table."""
        ruling, slip = self.ruling, self.slip
        if ruling is None:
            return None
        rule, last_play = slip.context.rulebook.challenge, bool(slip.last_play)
        return consequence(rule, len(slip.words), acceptable=ruling.acceptable, last_play=last_play)

    def replace(self, **changes: Any) -> Adjudication:
        """Return the adjudication with some fields replaced, and without its earlier notice."""
        return replace(self, **{"notice": None, **changes})


def new_slip(context: StationContext, at: int) -> Adjudication:
    """Return an adjudication with an empty slip at ``at`` (ns): is the clock stopped? (2017 IV.K.3.a)."""
    # A damaged lexicon prevents the station from judging, but not a judge with a book: nothing is looked up here, so its trouble is dropped.
    return Adjudication(Flow(context, Step.TABLE, Question.CLOCK, at, at, context.language))


def from_opinion(context: StationContext, opinion: Opinion, at: int) -> Adjudication:
    """Return an adjudication of a waiting play: its slip is read back first, unless judges have ruled already; then the next judge is asked."""
    slip = (
        new_slip(context, at)
        .slip.judged_in(context.of_table(opinion.table))
        .replace(
            step=Step.CHECKING,
            question=Question.COUNT,
            digits=str(opinion.table),
            challenger=opinion.challenger,
            last_play=opinion.last_play,
            count=len(opinion.words),
            words=opinion.words,
            # The words must be the same: with this link, the flow has no way back to change them.
            link=EarlierRow(Kind.SECOND_OPINION, opinion.first, 0),
        )
    )
    stage = Stage.JUDGE if opinion.rulings else Stage.SLIP
    return Adjudication(slip, stage, side_known=opinion.challenger is not None, rulings=opinion.rulings)
