"""Flows as they stand at each step, made directly; the page that each of them shows, and what can be pressed on a page."""

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from appliance.errors import Diagnosis
from kiosk import events as players
from kiosk.challenge.flow import EarlierRow, Flow, LastVerdict, Open, Outcome, Question, Step
from kiosk.context import Trouble, TroubleKind
from kiosk.events import Begin, ChooseChallenger, Consequence, Event, GiveVerdict, GoTo, JudgeDeskPlace, VerdictWritten, consequence
from kiosk.face.page import Page, Target
from kiosk.face.view import page, players_page
from kiosk.keyboards import keyboard
from kiosk.texts import load_texts
from records.entry import Entry, Kind
from rules.duration import NS
from rules.side import Side
from tests.kiosk.challenge.making import context
from tests.kiosk.station.playing import Playing, station

NOW = 5 * NS
BOTH_WAYS_OUT = "naspa-2017"
NO_WAY_OUT = "nzasp-2022"
WORDS = (("C", "A", "T"), ("Q", "I"))


def idle(**changes: Any) -> Flow:
    return Flow(context=context(), since=NOW, touched=NOW).replace(**changes)


def ailing(trouble_kind: TroubleKind = TroubleKind.LEXICON_MISSING) -> Flow:
    stands = context()
    trouble = Trouble(trouble_kind, Diagnosis("lists/mine.dawg: expected a lexicon, found nothing", "Copy it there"))
    return idle(context=replace(stands, lexicon=None, spelling=None, trouble=trouble))


def asked(question: Question, **changes: Any) -> Flow:
    return idle(step=Step.TABLE, question=question).replace(**changes)


def typing(rulebook: str = BOTH_WAYS_OUT, **changes: Any) -> Flow:
    """Return a flow in which two words were typed at table 12 by the challenger on the left."""
    return idle(context=context(rulebook), step=Step.WORDS, digits="12", challenger=Side.LEFT, words=WORDS, chosen=1).replace(**changes)


def checking(rulebook: str = BOTH_WAYS_OUT, **changes: Any) -> Flow:
    return typing(rulebook, step=Step.CHECKING, count=2).replace(**changes)


def verdict(rulebook: str = BOTH_WAYS_OUT, *, acceptable: bool, row: int | None = 7, **changes: Any) -> Flow:
    flow = typing(rulebook, step=Step.VERDICT, open=(OPEN,)).replace(**changes)
    words = tuple("".join(word) for word in flow.words)
    kind = flow.link.kind if flow.link else Kind.LOOKUP
    entry = Entry(kind, table=flow.table, words=words, acceptable=acceptable, rulebook=rulebook, lexicon=flow.context.lexicon)
    return flow.replace(outcome=Outcome(entry, row, _consequence(flow, acceptable=acceptable)))


def _consequence(flow: Flow, *, acceptable: bool) -> Consequence:
    return consequence(flow.context.rulebook.challenge, len(flow.words), acceptable=acceptable, last_play=bool(flow.last_play))


def withdrawn() -> Flow:
    return typing(step=Step.CLOSED, outcome=Outcome(Entry(Kind.WITHDRAWN, table=12), None, None))


def conceded(*, acceptable: bool) -> Flow:
    follows = consequence(context().rulebook.challenge, 2, acceptable=acceptable)
    return typing(step=Step.CLOSED, outcome=Outcome(Entry(Kind.CONCEDED, table=12, acceptable=acceptable), None, follows))


def judge_called() -> Flow:
    return idle(step=Step.DIRECTOR, digits="12", challenger=Side.LEFT, link=EarlierRow(Kind.OPINION_ASKED, 7, 0))


BY = context().by
OPEN = Open(12, Side.LEFT, ("CAT", "QI"), 7, 0, NOW + 600 * NS, False, BY)
"""What table 12 may repeat."""
LAST = LastVerdict(12, consequence(context().rulebook.challenge, 2, acceptable=True), 7, NOW + 300 * NS, BY)
"""What table 12 may see once more."""


def last_asked(**changes: Any) -> Flow:
    return asked(Question.REPEAT, digits="12", open=(OPEN,), verdicts=(LAST,)).replace(**changes)


def shown_again(rulebook: str = BOTH_WAYS_OUT, *, acceptable: bool, **changes: Any) -> Flow:
    by = context(rulebook)
    last = replace(LAST, consequence=consequence(by.rulebook.challenge, 2, acceptable=acceptable), by=by.by)
    return idle(context=by, step=Step.SHOWN_AGAIN, digits="12", again=last).replace(**changes)


ASKED = (
    asked(Question.TABLE, digits="12"),
    last_asked(),
    asked(Question.CHALLENGER, digits="12"),
    asked(Question.TABLE, digits="12", linked=True, asks_clock=True),
    asked(Question.LOOKING, digits="12", linked=True, asks_clock=True),
    asked(Question.RUNS, digits="12", linked=True, asks_clock=True),
)
"""Every question with what is known by then."""


def every_flow() -> tuple[Flow, ...]:
    """Return one flow for every page there is, and some for pages that come in two kinds."""
    return (
        idle(),
        idle(joins=players.JoinAsked("cambridge", "1234-5678", ("10", "01"))),
        ailing(),
        *ASKED,
        typing(),
        typing(NO_WAY_OUT),
        typing(words=(*WORDS[:1], ()), chosen=1),
        typing(chosen=0),
        typing(link=EarlierRow(Kind.REPEAT, 3, 1)),
        checking(),
        checking(NO_WAY_OUT, challenger=Side.RIGHT),
        checking(link=EarlierRow(Kind.SECOND_OPINION, 3, 0)),
        verdict(acceptable=True),
        verdict(acceptable=False),
        withdrawn(),
        conceded(acceptable=True),
        conceded(acceptable=False),
        typing(calling=True),
        judge_called(),
        typing(leaving=True),
        typing(leaving=True, conceding=Side.RIGHT),
        typing(still_there=True),
        last_asked(open=()),
        last_asked(verdicts=()),
        shown_again(acceptable=True),
        shown_again(NO_WAY_OUT, acceptable=False),
        verdict(acceptable=True, last_play=True),
        verdict(NO_WAY_OUT, acceptable=True),
        *(flow.replace(helping=True) for flow in (idle(), *ASKED, typing(), checking(), verdict(acceptable=True), typing(calling=True))),
    )


def shown(flow: Flow, now: int = NOW, language: str | None = None) -> Page:
    """Return the page of ``flow`` at ``now`` (ns), with a qwerty keyboard."""
    spelling = flow.context.spelling
    keys = keyboard("qwerty", spelling.tiles) if spelling else ()
    return players_page(flow, now, load_texts(language or flow.language), keys)


def targets(page: Page) -> Iterator[Target]:
    yield from page.actions
    for row in page.keyboard:
        yield from row
    for word in page.words:
        yield from (target for target in (word.choose,) if target)
    if page.by_side:
        yield from (target for _, target in page.by_side.items())
    if page.adjudicate:
        yield page.adjudicate[1]
    yield from (row.target for row in page.rows if row.target)
    yield from (target for target in (page.door, page.help) if target)


def said(page: Page) -> str:
    banner = (page.banner.text,) if page.banner else ()
    sides = (page.sides.left, page.sides.right) if page.sides else ()
    foot = (page.footer.lexicon, page.footer.rulebook, page.footer.station)
    words = tuple(word.text for word in page.words)
    pressed = tuple(target.text for target in targets(page))
    return "\n".join(
        (
            page.title,
            page.table or "",
            *page.lines,
            *banner,
            *sides,
            *foot,
            *words,
            *pressed,
            page.aside or "",
            page.notice or "",
            page.practice or "",
        )
    )


BOARD = keyboard("qwerty", tuple("ABCDEFGHIJKLMNOPQRSTUVWXYZ"))

ADJUDICATION = (
    GoTo(JudgeDeskPlace.JUDGE),
    Begin(),
    players.Type("7"),
    players.Next(),
    ChooseChallenger(None),
    players.Type("HEM ZAX"),
    players.Finish(),
)

RULED = (players.Finish(), players.Type("AB"), players.Next(), GiveVerdict(acceptable=True), VerdictWritten(5))


def seen(played: Playing) -> Page:
    return page(played.now, played.at, load_texts, BOARD)


def at_desk(*events: Event) -> Page:
    return seen(station().opened().do(*events))


def texts_of(shown: Page) -> str:
    return "\n".join(_texts_of(shown))


def _texts_of(shown: Page) -> Iterator[str]:
    yield from (shown.title, *shown.lines, shown.entry or "", shown.notice or "", shown.banner.text if shown.banner else "")
    yield from (text for row in shown.rows for text in (row.text, row.detail))
    yield from (word.text for word in shown.words)
    yield from (target.text for target in shown.actions)


def ids(shown: Page) -> list[str]:
    return [target.id for target in shown.actions]


def rows_of(shown: Page) -> list[str]:
    return [row.target.id for row in shown.rows if row.target is not None]
