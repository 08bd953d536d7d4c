"""Pages of a manual adjudication: writing the slip, reading it back, who judges, the verdict, the valid ruling."""

from __future__ import annotations

from types import MappingProxyType

from appliance.texts import Texts
from kiosk.challenge.flow import Flow, Notice, Step
from kiosk.director.word_judge import TYPING, Adjudication, Ruling, Seat, Stage, differ
from kiosk.events import AskReview, Finish, GiveVerdict, NoSide, Settle
from kiosk.face.page import Icon, Page, Target, Tone, footer
from kiosk.face.players import asking_page
from kiosk.face.targets import LATIN, SEPARATOR, TYPED, JudgeDeskView, judge_desk_page, keys, letters, on, table_label
from kiosk.face.verdict import by_role, last_play, verdict_banner
from kiosk.face.words import word_lines, words_page
from rules.side import BySide, Side


def judge_page(adjudication: Adjudication, view: JudgeDeskView) -> Page:
    match adjudication.stage:
        case Stage.SLIP if adjudication.slip.step is Step.CHECKING:
            page = _played(adjudication, view)
        case Stage.SLIP:
            page = _slip(adjudication, view)
        case Stage.JUDGE:
            page = _who(adjudication, view)
        case Stage.BOOK:
            page = _book(adjudication, view)
        case Stage.KEEPING:
            page = _keeping(adjudication, view)
        case Stage.RULED:
            page = _ruled(adjudication, view)
    return page.replace(
        table=table_label(adjudication.slip, view.texts),
        notice=_notice_text(adjudication.notice or adjudication.slip.notice, view.texts),
    )


def _slip(adjudication: Adjudication, view: JudgeDeskView) -> Page:
    """Return the players' own page, without what only players do: adjudicate, withdraw, call the director."""
    slip = adjudication.slip
    page = asking_page(slip, view.texts, slip.touched) if slip.step is Step.TABLE else words_page(slip, view.texts, view.board or LATIN)
    asks_side = slip.step is Step.TABLE
    unknown = (Target("challenger.none", view.texts.say("judge.no_side"), NoSide()),) if asks_side else ()
    return page.replace(
        name=f"judge.{page.name}",
        lines=() if asks_side else page.lines,
        aside=None if asks_side else page.aside,
        by_side=None if page.by_side is None else BySide(*(_of_side(side, target, view.texts) for side, target in page.by_side.items())),
        actions=(*(target for target in page.actions if isinstance(target.event, TYPING)), *unknown),
        keys=MappingProxyType({key: event for key, event in page.keys.items() if isinstance(event, TYPING)}),
    )


def _of_side(side: Side, target: Target, texts: Texts) -> Target:
    return target.replace(text=texts.say(f"judge.side.{side}"))


def _played(adjudication: Adjudication, view: JudgeDeskView) -> Page:
    """Return the judge's question before the look-up, whether these words were played (2017 IV.K.2.b, IV.K.3.c)."""
    # A second opinion concerns the same words (2017 IV.J.1.n): none can be added or removed.
    how = "judge.played_same" if adjudication.slip.link is not None else "judge.played_how"
    yes = Target("finish", view.texts.say("judge.played_yes"), Finish(), Icon.RIGHT, Tone.MAIN)
    return judge_desk_page(
        "judge.played",
        view.texts.say("judge.played"),
        view,
        lines=(_declared(adjudication.slip, view.texts), view.texts.say(how)),
        words=word_lines(adjudication.slip),
        actions=(yes,),
        named=MappingProxyType({"return": yes.event}),
    )


def _who(adjudication: Adjudication, view: JudgeDeskView) -> Page:
    return judge_desk_page(
        "judge.who",
        view.texts.say(f"judge.who.{adjudication.seat or Seat.FIRST}"),
        view,
        lines=(view.texts.say("judge.who_how"),),
        entry=adjudication.judge,
        keyboard=letters(view.board, view.texts, space=False),
        actions=(on(view.texts.say("action.next")),),
        named=TYPED,
        typed=True,
    )


def _book(adjudication: Adjudication, view: JudgeDeskView) -> Page:
    say = view.texts.say
    verdicts = (
        Target("verdict.acceptable", say("judge.acceptable"), GiveVerdict(acceptable=True), Icon.TICK, Tone.GOOD),
        Target("verdict.unacceptable", say("judge.unacceptable"), GiveVerdict(acceptable=False), Icon.CROSS, Tone.BAD),
    )
    return judge_desk_page(
        "judge.book",
        say("judge.book"),
        view,
        lines=(_declared(adjudication.slip, view.texts), say("judge.book_how")),
        words=word_lines(adjudication.slip),
        actions=verdicts,
    )


def _keeping(adjudication: Adjudication, view: JudgeDeskView) -> Page:
    return Page("judge.keeping", view.texts.say("judge.title"), footer(view.context, view.texts), lines=(view.texts.say("judge.keeping"),))


def _ruled(adjudication: Adjudication, view: JudgeDeskView) -> Page:
    texts, seat, follows = view.texts, adjudication.seat, adjudication.follows
    no_third = seat is not None and differ(adjudication.rulings)
    settle = Target(
        "settle", texts.say("judge.no_third" if no_third else "judge.settle"), Settle(), Icon.TICK, Tone.PLAIN if no_third else Tone.MAIN
    )
    review = () if seat is None else (Target("review", texts.say(f"judge.review.{seat}"), AskReview(), Icon.PERSON),)
    validity = texts.say(("judge.differ" if seat is Seat.THIRD else "judge.differ_director") if no_third else "judge.final")
    return Page(
        "judge.ruled",
        _declared(adjudication.slip, texts),
        footer(view.context, texts),
        banner=None if follows is None else verdict_banner(texts, acceptable=follows.acceptable),
        lines=(
            SEPARATOR.join(_ruling(ruling, texts) for ruling in adjudication.rulings),
            *((validity,) if no_third or seat is None else ()),
            *(() if follows is None else by_role(follows, texts)),
        ),
        actions=(settle, *review, *(last_play(adjudication.slip, texts) if follows is not None and follows.acceptable else ())),
        keys=keys((), {} if no_third else {"return": settle.event}),
    )


def _ruling(ruling: Ruling, texts: Texts) -> str:
    verdict = texts.say("verdict.acceptable" if ruling.acceptable else "verdict.unacceptable")
    return texts.say(f"judge.ruling.{ruling.seat}", judge=ruling.judge, verdict=verdict)


def _declared(slip: Flow, texts: Texts) -> str:
    return texts.say("words.declared", count=len(slip.words))


def _notice_text(notice: Notice | None, texts: Texts) -> str | None:
    return None if notice is None else texts.say(notice.key, **dict(notice.values))
