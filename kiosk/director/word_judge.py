"""Manual adjudication: a slip with table number and words, one verdict for the play from each judge, and one valid ruling.

The slip is typed in the players' own flow; instead of pressing the adjudication key, the judge consults the book. The station looks nothing up here: for
that (2017 IV.K.3.e) there is the players' screen. Every verdict is logged before it is shown, linked to the first one's row.

The rulebooks' differences are only here. NASPA: another judge may review a ruling, a third only if the first two differ; if there is no third judge, the
first has precedence (2017 IV.K.4). New Zealand: one appeal to a referee, whose decision is final (NZ 6.15.3).

Plays wait at the judge desk for a word judge: second opinions that players requested (2017 IV.J.1.n), and adjudications that a power cut interrupted between two
judges. No row says that a ruling was shown, or that no review was wanted. So an interrupted one may in fact be over: it waits without a verdict, and expires.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from enum import StrEnum
from itertools import dropwhile
from typing import Any, Final, TypeAlias

from kiosk import events
from kiosk.challenge.apply import apply as apply_flow
from kiosk.challenge.flow import EarlierRow, Flow, Notice, Question, Step, TypedWord
from kiosk.challenge.writing import entry, first_row
from kiosk.context import StationContext, Value
from kiosk.events import Consequence, Effect, Print, WriteEntry, WriteVerdict, consequence
from records.entry import Entry, Kind
from rules.duration import NS
from rules.rulebooks.model import ChallengeRule, ReviewBy
from rules.side import Side


class Seat(StrEnum):
    FIRST = "first"
    SECOND = "second"
    THIRD = "third"
    REFEREE = "referee"


_SIGNED: Final = re.compile(r"(?:\[.*\] )?(?:(first|second|third) judge|(referee)) (\w+)", re.DOTALL)
"""The format of ``signed``; a row written late has a bracketed remark before it."""
_REVIEWED_BY: Final[dict[ReviewBy, Seat]] = {"judges": Seat.SECOND, "director": Seat.SECOND, "appeal": Seat.REFEREE}


class Ruling(Value, frozen=True):
    seat: Seat
    judge: str
    acceptable: bool
    row: int | None
    """Its row in the log; None: the log could not be written, which the director's setting permits."""


def signed(seat: Seat | None, judge: str) -> str:
    """Return the adjudicator for the log: ``second judge AB``, ``referee CD``."""
    return f"{seat} {judge}" if seat is Seat.REFEREE else f"{seat} judge {judge}"


def signature(why: str | None) -> tuple[Seat, str] | None:
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


class Opinion(Value, frozen=True):
    """A play to be adjudicated by a word judge."""

    table: int
    challenger: Side | None
    words: tuple[TypedWord, ...]
    first: int | None
    until: int
    rulings: tuple[Ruling, ...] = ()
    """The rulings so far; the next judge does not see them."""
    last_play: bool | None = None


def remembered(opinions: tuple[Opinion, ...], new: Opinion) -> tuple[Opinion, ...]:
    return (*without(opinions, new.table), new)[-MAX:]


def without(opinions: tuple[Opinion, ...], table: int) -> tuple[Opinion, ...]:
    return tuple(each for each in opinions if each.table != table)


def ruled(opinions: tuple[Opinion, ...], table: int, words: tuple[TypedWord, ...], rulings: tuple[Ruling, ...]) -> tuple[Opinion, ...]:
    """Return the opinions with that table's rulings, so that the same judges are not asked again."""
    return tuple(each.replace(rulings=rulings) if (each.table, each.words) == (table, words) else each for each in opinions)


class Stage(StrEnum):
    SLIP = "slip"
    """The slip is written and read back: were these words played? (2017 IV.K.2.b)"""
    JUDGE = "judge"
    BOOK = "book"
    RULED = "ruled"


class Adjudication(Value, frozen=True):
    slip: Flow
    """The slip so far: the players' own flow, which here never goes beyond CHECKING."""
    stage: Stage = Stage.SLIP
    side_known: bool = True
    judge: str = ""
    rulings: tuple[Ruling, ...] = ()
    pending_verdict: bool | None = None
    """The verdict that the shell is to log. It answers before any other event."""
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
        ruling, slip = self.ruling, self.slip
        if ruling is None:
            return None
        rule, last_play = slip.context.rulebook.challenge, bool(slip.last_play)
        return consequence(rule, len(slip.words), acceptable=ruling.acceptable, last_play=last_play)

    def replace(self, **changes: Any) -> Adjudication:
        return super().replace(**{"notice": None, **changes})


def new_slip(context: StationContext, at: int) -> Adjudication:
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


LONGEST_JUDGE: Final = 4

TYPING: Final = (
    events.Type,
    events.TypeTile,
    events.Erase,
    events.Next,
    events.ChooseChallenger,
    events.ChooseWord,
    events.AddWord,
    events.RemoveWord,
    events.Finish,
    events.Back,
)
"""The players' events for writing a slip. None of them adjudicates."""


JudgeTransition: TypeAlias = tuple[Adjudication | None, tuple[Effect, ...]]


def apply(adjudication: Adjudication, event: object, at: int) -> JudgeTransition:
    """Return the result of ``event`` at ``at`` (ns); an event that does not apply at this stage changes nothing."""
    match adjudication.stage:
        case Stage.SLIP:
            return _write(adjudication, event, at)
        case Stage.JUDGE:
            return _name(adjudication, event), ()
        case Stage.BOOK:
            return _look(adjudication, event)
        case Stage.RULED:
            return _ruled(adjudication, event)


def left(adjudication: Adjudication, why: str) -> tuple[Effect, ...]:
    """Return what to log when the judge desk closes during an adjudication: a valid ruling is settled, anything else aborted."""
    if adjudication.stage is Stage.RULED:
        return _settled(adjudication, f"{why}; no third judge has ruled: the first ruling has precedence")
    written = bool(adjudication.slip.digits or any(adjudication.slip.words))
    return (WriteEntry(_entry(adjudication, Kind.ABORTED, why)),) if written else ()


def _write(adjudication: Adjudication, event: object, at: int) -> JudgeTransition:
    step = adjudication.slip.step
    if step is Step.CHECKING and isinstance(event, events.Next | events.Finish):
        return adjudication.replace(stage=Stage.JUDGE, judge=""), ()
    if step is Step.TABLE and isinstance(event, events.ChooseChallenger):
        # A side that is not known does not matter to the flow, and is not logged.
        return _typed(adjudication.replace(side_known=event.side is not None), events.ChooseChallenger(event.side or Side.LEFT), at)
    return _typed(adjudication, event, at) if isinstance(event, TYPING) else (adjudication, ())


def _typed(adjudication: Adjudication, event: Any, at: int) -> JudgeTransition:
    """Pass an event to the flow; its log entries are dropped, because the judge desk logs its own."""
    slip, _ = apply_flow(adjudication.slip, event, at)
    if slip.in_progress:
        return adjudication.replace(slip=slip), ()
    # A second opinion continues to wait for a word judge; a new slip is abandoned.
    waiting = adjudication.slip.link is not None
    return None, () if waiting else left(adjudication, "manual adjudication: the slip was taken back before a verdict")


def _name(adjudication: Adjudication, event: object) -> Adjudication:
    match event:
        case events.Type(text) | events.TypeTile(text):
            more = "".join(character for character in text[:LONGEST_JUDGE] if character.isalnum()).upper()
            return adjudication.replace(judge=(adjudication.judge + more)[:LONGEST_JUDGE])
        case events.Erase():
            return adjudication.replace(judge=adjudication.judge[:-1])
        case events.Back():
            return adjudication.replace(stage=Stage.RULED if adjudication.rulings else Stage.SLIP)
        case events.Next() | events.Finish() if not adjudication.judge:
            return adjudication.replace(notice=Notice("judge.notice.nobody"))
        case events.Next() | events.Finish() if adjudication.judge in {ruling.judge for ruling in adjudication.rulings}:
            return adjudication.replace(notice=Notice("judge.notice.same"))
        case events.Next() | events.Finish():
            return adjudication.replace(stage=Stage.BOOK)
        case _:
            return adjudication


def _look(adjudication: Adjudication, event: object) -> JudgeTransition:
    """The judge consults the book; only the whole play gets a verdict (2017 IV.K.3.d)."""
    match event:
        case events.GiveVerdict(acceptable):
            row = _entry(adjudication, Kind.MANUAL, signed(adjudication.seat, adjudication.judge), acceptable=acceptable)
            return adjudication.replace(pending_verdict=acceptable), (WriteVerdict(row),)
        case events.Back():
            return adjudication.replace(stage=Stage.JUDGE), ()
        case events.VerdictWritten(row, why):
            return _answered(adjudication, row, why), ()
        case _:
            return adjudication, ()


def _answered(adjudication: Adjudication, row: int | None, why: str) -> Adjudication:
    if row is not None:
        return _with_ruling(adjudication, row)
    if adjudication.slip.context.limits.judge_unlogged:
        return _with_ruling(adjudication, None).replace(notice=Notice("judge.notice.unlogged", (("why", why),)))
    return adjudication.replace(pending_verdict=None, notice=Notice("judge.notice.not_kept", (("why", why),)))


def _with_ruling(adjudication: Adjudication, row: int | None) -> Adjudication:
    seat, acceptable = adjudication.seat, adjudication.pending_verdict
    if seat is None or acceptable is None:
        return adjudication
    ruling = Ruling(seat, adjudication.judge, acceptable, row)
    return adjudication.replace(stage=Stage.RULED, pending_verdict=None, rulings=(*adjudication.rulings, ruling))


def _ruled(adjudication: Adjudication, event: object) -> JudgeTransition:
    match event:
        case events.LastPlay(was_last):
            return adjudication.replace(slip=adjudication.slip.replace(last_play=was_last)), ()
        case events.SecondOpinion(here=False) if adjudication.seat is not None:
            return adjudication.replace(stage=Stage.JUDGE, judge=""), ()
        case events.Confirm():
            return None, _settled(adjudication, "no third judge: the first ruling has precedence")
        case _:
            return adjudication, ()


def _settled(adjudication: Adjudication, no_third: str) -> tuple[Effect, ...]:
    """Print the ruling; if two judges differ, log why there is no third, because only then the first has precedence (2017 IV.K.4)."""
    ruling, follows = adjudication.ruling, adjudication.follows
    if ruling is None or follows is None:
        return ()
    # The slip names an earlier row only if there is one; a first judge's own row is none.
    before = adjudication.replace(rulings=()) if ruling is adjudication.rulings[0] else adjudication
    row = _entry(before, Kind.MANUAL, signed(ruling.seat, ruling.judge), acceptable=ruling.acceptable)
    context = adjudication.slip.context
    printed = Print(row, ruling.row, follows, context.rulebook.title, context.language)
    if adjudication.seat is None or not differ(adjudication.rulings):
        return (printed,)
    return WriteEntry(_entry(adjudication, Kind.MANUAL, no_third, acceptable=ruling.acceptable)), printed


def _entry(adjudication: Adjudication, kind: Kind, why: str, *, acceptable: bool | None = None) -> Entry:
    """Return a row without a list, because none was used. A later judge's row is linked to the first judge's, the first one's to the look-up, if any."""
    slip = adjudication.slip if adjudication.side_known else adjudication.slip.replace(challenger=None)
    first = adjudication.rulings[0].row if adjudication.rulings else None
    return entry(slip, kind, why=why, acceptable=acceptable, lexicon=None, first=first_row(slip) if first is None else first)
