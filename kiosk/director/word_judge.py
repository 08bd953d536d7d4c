"""Manual adjudication: a slip with table number and words, one verdict for the play from each judge, and one valid ruling.

The slip is typed in the players' own flow; instead of pressing the adjudication key, the judge consults the book. The station looks nothing up here: for
that (2017 IV.K.3.e) there is the players' screen. Every verdict is logged before it is shown, linked to the first one's row.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

from msgspec.structs import replace

from kiosk import events
from kiosk.challenge.apply import apply as apply_flow
from kiosk.challenge.flow import Notice, Step
from kiosk.challenge.writing import entry
from kiosk.director.adjudication import Adjudication, Ruling, Stage, differ, signed
from kiosk.effects import DirectorEffect, Print, WriteEntry, WriteVerdict
from kiosk.events import AskReview, GiveVerdict, NoSide, Settle, VerdictNotWritten, VerdictWritten
from records.entry import Entry, Kind
from rules.side import Side

LONGEST_JUDGE: Final = 4
"""The most characters of a judge's initials or number."""

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


JudgeTransition: TypeAlias = tuple[Adjudication | None, tuple[DirectorEffect, ...]]
"""The next adjudication (None: over), and the effects for the shell."""


def apply(adjudication: Adjudication, event: object, at: int) -> JudgeTransition:
    """Return the result of ``event`` at ``at`` (ns); an event that does not apply at this stage changes nothing."""
    match adjudication.stage:
        case Stage.SLIP:
            return _write(adjudication, event, at)
        case Stage.JUDGE:
            return _name(adjudication, event), ()
        case Stage.BOOK:
            return _look(adjudication, event)
        case Stage.KEEPING:
            return _answered(adjudication, event), ()
        case Stage.RULED:
            return _ruled(adjudication, event)


def left(adjudication: Adjudication, why: str) -> tuple[DirectorEffect, ...]:
    """Return what to log when the judge desk closes during an adjudication: a valid ruling is settled, anything else aborted."""
    if adjudication.stage is Stage.RULED:
        return _settled(adjudication, f"{why}; no third judge has ruled: the first ruling has precedence")
    written = bool(adjudication.slip.digits or any(adjudication.slip.words))
    return (WriteEntry(_entry(adjudication, Kind.ABORTED, why)),) if written else ()


def _write(adjudication: Adjudication, event: object, at: int) -> JudgeTransition:
    slip = adjudication.slip
    if isinstance(event, NoSide):
        # The flow's side does not matter here: it is not logged.
        chosen = slip.step is Step.TABLE
        return _typed(adjudication.replace(side_known=False), events.ChooseChallenger(Side.LEFT), at) if chosen else (adjudication, ())
    if slip.step is Step.CHECKING and isinstance(event, events.Next | events.Finish):
        return adjudication.replace(stage=Stage.JUDGE, judge=""), ()
    if isinstance(event, events.ChooseChallenger):
        return _typed(adjudication.replace(side_known=True), event, at)
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
    """Enter initials or a number; a review needs another judge."""
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
        case GiveVerdict(acceptable):
            row = _entry(adjudication, Kind.MANUAL, signed(adjudication.seat, adjudication.judge), acceptable=acceptable)
            return adjudication.replace(stage=Stage.KEEPING, pending_verdict=acceptable), (WriteVerdict(row),)
        case events.Back():
            return adjudication.replace(stage=Stage.JUDGE), ()
        case _:
            return adjudication, ()


def _answered(adjudication: Adjudication, event: object) -> Adjudication:
    match event:
        case VerdictWritten(row):
            return _with_ruling(adjudication, row)
        case VerdictNotWritten(why) if adjudication.slip.context.limits.judge_unlogged:
            return replace(_with_ruling(adjudication, None), notice=Notice("judge.notice.unlogged", (("why", why),)))
        case VerdictNotWritten(why):
            return adjudication.replace(stage=Stage.BOOK, pending_verdict=None, notice=Notice("judge.notice.not_kept", (("why", why),)))
        case _:
            return adjudication


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
        case AskReview() if adjudication.seat is not None:
            return adjudication.replace(stage=Stage.JUDGE, judge=""), ()
        case Settle():
            return None, _settled(adjudication, "no third judge: the first ruling has precedence")
        case _:
            return adjudication, ()


def _settled(adjudication: Adjudication, no_third: str) -> tuple[DirectorEffect, ...]:
    """Print the ruling; if two judges differ, log why there is no third, because only then the first has precedence (2017 IV.K.4)."""
    ruling, follows = adjudication.ruling, adjudication.follows
    if ruling is None or follows is None:
        return ()
    # The slip names an earlier row only if there is one; a first judge's own row is none.
    before = replace(adjudication, rulings=()) if ruling is adjudication.rulings[0] else adjudication
    row = _entry(before, Kind.MANUAL, signed(ruling.seat, ruling.judge), acceptable=ruling.acceptable)
    context = adjudication.slip.context
    printed = Print(row, ruling.row, follows, context.rulebook.title, context.language)
    if adjudication.seat is None or not differ(adjudication.rulings):
        return (printed,)
    return WriteEntry(_entry(adjudication, Kind.MANUAL, no_third, acceptable=ruling.acceptable)), printed


def _entry(adjudication: Adjudication, kind: Kind, why: str, *, acceptable: bool | None = None) -> Entry:
    """Return a row without a list, because none was used. A later judge's row is linked to the first judge's, the first one's to the look-up, if any."""
    row = replace(entry(adjudication.slip, kind, why=why), acceptable=acceptable, lexicon=None)
    if not adjudication.side_known:
        row = replace(row, challenger=None)
    first = adjudication.rulings[0].row if adjudication.rulings else None
    return row if first is None else replace(row, first=first)
