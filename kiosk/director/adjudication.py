"""A manual adjudication as a frozen value: the slip, the rulings so far, and which one is valid. ``word_judge`` defines the transitions.

The rulebooks' differences are only here. NASPA: another judge may review a ruling, a third only if the first two differ; if there is no third judge, the
first has precedence (2017 IV.K.4). New Zealand: one appeal to a referee, whose decision is final (NZ 6.15.3).

Plays wait at the judge desk for a word judge: second opinions that players requested (2017 IV.J.1.n), and adjudications that a power cut interrupted between two
judges. A ruling is logged before it is shown; no row says that it was shown, or that no review was wanted. So an interrupted one may in fact be over: it
waits without a verdict, and expires.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from enum import StrEnum
from itertools import dropwhile
from typing import Any, Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from kiosk.challenge.flow import EarlierRow, Flow, Notice, Question, Step, TypedWord
from kiosk.context import StationContext
from kiosk.effects import Consequence, consequence
from records.entry import Entry, Kind
from rules.duration import NS
from rules.rulebooks.model import ChallengeRule, ReviewBy
from rules.side import Side


class Seat(StrEnum):
    """The position of an adjudicator."""

    FIRST = "first"
    SECOND = "second"
    THIRD = "third"
    REFEREE = "referee"


_SIGNED: Final = re.compile(r"(?:\[.*\] )?(?:(first|second|third) judge|(referee)) (\w+)", re.DOTALL)
"""The format of ``signed``; a row written late has a bracketed remark before it."""
_REVIEWED_BY: Final[dict[ReviewBy, Seat]] = {"judges": Seat.SECOND, "director": Seat.SECOND, "appeal": Seat.REFEREE}


class Ruling(Struct, frozen=True):
    """One judge's verdict for the play."""

    seat: Seat
    judge: str
    """Initials or a number, as entered by the judge."""
    acceptable: bool
    row: int | None
    """Its row in the log; None: the log could not be written, which the director's setting permits."""


def signed(seat: Seat | None, judge: str) -> str:
    """Return the adjudicator for the log: ``second judge AB``, ``referee CD``."""
    return f"{seat} {judge}" if seat is Seat.REFEREE else f"{seat} judge {judge}"


def signature(why: str | None) -> tuple[Seat, str] | None:
    """Return the adjudicator from the text of ``signed``; None for any other text."""
    found = _SIGNED.fullmatch(why or "")
    return None if found is None else (Seat(found[1] or found[2]), found[3])


def valid_ruling(rulings: tuple[Ruling, ...]) -> Ruling | None:
    """Return the valid ruling: the referee's, the third judge's (who agrees with one of two), else the first; None if there is none."""
    last = rulings[-1] if rulings else None
    return last if last is None or last.seat in (Seat.REFEREE, Seat.THIRD) else rulings[0]


def next_seat(rule: ChallengeRule, rulings: tuple[Ruling, ...]) -> Seat | None:
    """Return who may adjudicate the play next, or None if the ruling is final."""
    if not rulings:
        return Seat.FIRST
    if len(rulings) == 1:
        return None if rule.review is None else _REVIEWED_BY[rule.review]
    if not differ(rulings) or rulings[-1].seat is not Seat.SECOND:
        return None
    # Where two differ the director decides under WESPA 3.10.9: the referee, of whose ruling there is no review.
    return Seat.REFEREE if rule.review == "director" else Seat.THIRD


def differ(rulings: tuple[Ruling, ...]) -> bool:
    return len({ruling.acceptable for ruling in rulings}) > 1


REMEMBERED_NS: Final = 600 * NS
"""How long a word judge finds the slip prefilled; later, play has long continued."""
MAX: Final = 50
"""The most tables that may wait for a word judge; the oldest is dropped first."""


class Opinion(Struct, frozen=True):
    """A play to be adjudicated by a word judge."""

    table: int
    challenger: Side | None
    words: tuple[TypedWord, ...]
    first: int | None
    """The row of the original look-up."""
    until: int
    """The instant of its expiry, ns."""
    rulings: tuple[Ruling, ...] = ()
    """The rulings so far; the next judge does not see them."""
    last_play: bool | None = None


def remembered(opinions: tuple[Opinion, ...], new: Opinion) -> tuple[Opinion, ...]:
    """Return the opinions with ``new``, which replaces an earlier one of its table."""
    return (*without(opinions, new.table), new)[-MAX:]


def without(opinions: tuple[Opinion, ...], table: int) -> tuple[Opinion, ...]:
    return tuple(each for each in opinions if each.table != table)


def ruled(opinions: tuple[Opinion, ...], table: int, words: tuple[TypedWord, ...], rulings: tuple[Ruling, ...]) -> tuple[Opinion, ...]:
    """Return the opinions with that table's rulings, so that the same judges are not asked again."""
    return tuple(replace(each, rulings=rulings) if (each.table, each.words) == (table, words) else each for each in opinions)


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


class Adjudication(Struct, frozen=True):
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
    """Return an adjudication with an empty slip at ``at`` (ns)."""
    # A damaged lexicon prevents the station from judging, but not a judge with a book: nothing is looked up here, so its trouble is dropped.
    return Adjudication(Flow(context, Step.TABLE, Question.TABLE, at, at, context.language))


def from_opinion(context: StationContext, opinion: Opinion, at: int) -> Adjudication:
    """Return an adjudication of a waiting play: its slip is read back first, unless judges have ruled already; then the next judge is asked."""
    slip = (
        new_slip(context, at)
        .slip.judged_in(context.of_table(opinion.table))
        .replace(
            step=Step.CHECKING,
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


LAST: Final = 20
"""Enough rows for two judges' verdicts and the rows of repeated starts."""

Numbered: TypeAlias = tuple[int, Entry]
"""A row's number and entry."""

_BY_ITSELF: Final = (Kind.STARTED, Kind.REFUSED)
"""Rows that do not end an adjudication. Not STOPPED: before a normal end, the program closes the judge desk, so that nothing is unfinished."""
_PIECE: Final = re.compile(r"\[[^\]]+\]|.")


def unfinished(rows: Sequence[Numbered], context: StationContext, until: int) -> Opinion | None:
    """Return the play that waits for its next judge; None: the last rows are about something else, or the ruling is final.

    ``rows``: the last of the log, newest first. Adjudications under another rulebook than the table's are not restored. ``until`` (ns): its expiry.
    """
    chain = tuple(_chain(tuple(dropwhile(lambda row: row[1].kind in _BY_ITSELF, rows))))[::-1]
    rulings = tuple(ruling for _, ruling in chain)
    if not chain or rulings[0].seat is not Seat.FIRST:
        return None
    first = chain[0][0]
    rulebook = context.of_table(first.table).rulebook
    if first.table is None or first.rulebook != rulebook.id or next_seat(rulebook.challenge, rulings) is None:
        return None
    side = next((side for side in Side if str(side) == first.challenger), None)
    return Opinion(first.table, side, tuple(map(_word, first.words)), first.first, until, rulings, first.last_play)


def _chain(rows: Sequence[Numbered]) -> Iterator[tuple[Entry, Ruling]]:
    """Yield the rulings of the newest row's adjudication, newest first; nothing if that row is not a judge's."""
    newest = _ruling(*rows[0]) if rows else None
    if newest is None:
        return
    number, entry = rows[0]
    begun = number if newest.seat is Seat.FIRST else entry.first
    for row in rows:
        ruling = _ruling(*row)
        if ruling is not None and begun in (row[0], row[1].first):
            yield row[1], ruling


def _ruling(row: int, entry: Entry) -> Ruling | None:
    by = signature(entry.why) if entry.kind is Kind.MANUAL else None
    return None if by is None or entry.acceptable is None else Ruling(*by, entry.acceptable, row)


def _word(text: str) -> TypedWord:
    """Return a word as typed from the text that was looked up: brackets surround one tile."""
    return tuple(_PIECE.findall(text))
