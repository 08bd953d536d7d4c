"""The players' pages: the idle one, and one for each step of the flow, with their common parts. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from appliance.texts import Texts
from game.challenge_log.entry import Entry, Kind
from kiosk.challenge.context import StationContext, Trouble
from kiosk.challenge.flow import Flow, Outcome, Question, Step
from kiosk.challenge.repeats import open_of, verdict_of
from kiosk.challenge.timeouts import clears_at, counted_s
from kiosk.effects import Role, consequence
from kiosk.events import (
    Back,
    Begin,
    ChooseChallenger,
    ChooseCount,
    ChooseLanguage,
    ClockNotRunning,
    ClockRuns,
    ClockStopped,
    Erase,
    Event,
    LastPlay,
    NewChallenge,
    Next,
    RepeatIt,
    ShowVerdict,
)
from kiosk.face.page import Banner, Icon, Page, Target, Tone, footer, practice
from kiosk.face.targets import back, director, keys, named, on, pad, with_door, with_help
from kiosk.face.verdict import called_page, closed_page, shown_again_page, still_there_page, verdict_page, word_judge_page
from kiosk.face.words import checking_page, judging_page, ways, ways_keys, ways_page, words_page
from kiosk.keyboards import Keyboard
from rules.duration import seconds_shown
from rules.side import BySide, Side
from rules.tables import WORDS_IN_CHALLENGE

_TOWARDS: Final = BySide(Icon.LEFT, Icon.RIGHT)
_COUNTS: Final = (range(1, 5), range(5, WORDS_IN_CHALLENGE + 1))


def asking_page(flow: Flow, texts: Texts) -> Page:
    match flow.question:
        case Question.CLOCK:
            return _clock(flow, texts)
        case Question.TABLE:
            return _table(flow, texts)
        case Question.CHALLENGER:
            return _challenger(flow, texts)
        case Question.LAST_PLAY:
            return _last_play(flow, texts)
        case Question.REPEAT:
            return _repeat(flow, texts)
        case Question.COUNT:
            return _count(flow, texts)
        case Question.LOOKING:
            return _looking(flow, texts)
        case Question.RUNS:
            return _runs(flow, texts)


def _clock(flow: Flow, texts: Texts) -> Page:
    """Ask whether the clock is stopped, as anyone who sees it run must (2017 IV.J.1.a)."""
    actions = (
        Target("clock.stopped", texts.say("clock.yes"), ClockStopped(), Icon.TICK, Tone.MAIN),
        Target("clock.runs", texts.say("clock.no"), ClockRuns(), Icon.CLOCK),
        director(texts),
    )
    return Page(
        name="table.clock",
        title=texts.say("clock.title"),
        footer=footer(flow.context, texts),
        lines=(texts.say("clock.why"),),
        actions=actions,
        keys=keys(actions, {"return": ClockStopped(), "escape": ClockRuns()}),
    )


def _table(flow: Flow, texts: Texts) -> Page:
    actions = (back(texts), director(texts))
    return Page(
        name="table.table",
        title=texts.say("table.title"),
        footer=footer(flow.context, texts),
        lines=(texts.say("table.how"),),
        entry=flow.digits,
        keyboard=pad(on(texts.say("action.next")), texts),
        actions=actions,
        typed=True,
        keys=keys(actions, {"return": Next(), "backspace": Erase(), "escape": Back()}),
    )


def _looking(flow: Flow, texts: Texts) -> Page:
    """Say that the table's clock is asked; it answers, or the players are asked, within a moment."""
    actions = (back(texts), director(texts))
    return Page(
        name="table.looking",
        title=texts.say("looking.title", table=flow.table),
        footer=footer(flow.context, texts),
        lines=(texts.say("judging.wait"),),
        actions=actions,
        keys=keys(actions, {"escape": Back()}),
    )


def _runs(flow: Flow, texts: Texts) -> Page:
    """Say that the table's clock runs (2017 IV.J.1.a). Once it stands, the next question comes by itself."""
    actions = (
        back(texts),
        Target("runs.ask", texts.say("runs.ask"), ClockNotRunning(), Icon.CLOCK),
        director(texts),
    )
    return Page(
        name="table.runs",
        title=texts.say("runs.title", table=flow.table),
        footer=footer(flow.context, texts),
        lines=(texts.say("runs.how"),),
        actions=actions,
        keys=keys(actions, {"escape": Back()}),
    )


def _challenger(flow: Flow, texts: Texts) -> Page:
    """Ask which player challenges: the verdict says who loses what."""
    actions = (back(texts), director(texts))
    return Page(
        name="table.challenger",
        title=texts.say("challenger.title"),
        footer=footer(flow.context, texts),
        lines=(texts.say("challenger.how"),),
        by_side=BySide(Side.LEFT, Side.RIGHT).map(
            lambda side: Target(f"challenger.{side}", texts.say("challenger.me"), ChooseChallenger(side), _TOWARDS.of(side), contested=True)
        ),
        actions=actions,
        keys=keys(actions, {"left": ChooseChallenger(Side.LEFT), "right": ChooseChallenger(Side.RIGHT), "escape": Back()}),
    )


def _last_play(flow: Flow, texts: Texts) -> Page:
    """Ask whether the game is over if the play stands (2014 V.A, 2017 V.A, V.E, NZ 8.1.1)."""
    actions = (
        Target("last_play.no", texts.say("last_play.no"), LastPlay(was_last=False), Icon.RIGHT, Tone.MAIN),
        Target("last_play.yes", texts.say("last_play.yes"), LastPlay(was_last=True), Icon.TICK),
        back(texts),
        director(texts),
    )
    return Page(
        name="table.last_play",
        title=texts.say("last_play.title"),
        footer=footer(flow.context, texts),
        lines=(texts.say("last_play.how"),),
        actions=actions,
        keys=keys(actions, {"return": LastPlay(was_last=False), "escape": Back()}),
    )


def _repeat(flow: Flow, texts: Texts) -> Page:
    """Ask whether this is about the table's last challenge: it is repeated (2017 IV.J.1.j), or its verdict is shown once more."""
    again = Target("repeat.again", texts.say("repeat.again"), RepeatIt(), Icon.REPEAT)
    verdict = Target("repeat.verdict", texts.say("repeat.verdict"), ShowVerdict())
    open_, shown = open_of(flow) is not None, verdict_of(flow) is not None
    actions = (
        *((again,) if open_ else ()),
        *((verdict,) if shown else ()),
        Target("repeat.another", texts.say("repeat.another"), NewChallenge(), Icon.RIGHT),
        back(texts),
        director(texts),
    )
    return Page(
        name="table.repeat",
        title=texts.say("repeat.title"),
        footer=footer(flow.context, texts),
        lines=(*((texts.say("repeat.how"),) if open_ else ()), *((texts.say("repeat.shows"),) if shown else ())),
        actions=actions,
        keys=keys(actions, {"escape": Back()}),
    )


def _count(flow: Flow, texts: Texts) -> Page:
    actions = (back(texts), director(texts), *ways(flow, texts))
    return Page(
        name="table.count",
        title=texts.say("count.title"),
        footer=footer(flow.context, texts),
        lines=(texts.say("count.how"),),
        keyboard=tuple(tuple(Target(f"count.{count}", str(count), ChooseCount(count)) for count in row) for row in _COUNTS),
        actions=actions,
        typed=True,
        keys=keys(actions, {**ways_keys(flow), "escape": Back()}),
    )


_FIRST: Final = 2
"""The first function key for languages."""


def idle_page(flow: Flow, texts: Texts) -> Page:
    if flow.context.trouble is not None:
        return _shut(flow, flow.context.trouble, texts)
    advice = flow.context.advice
    begin = Target("begin", texts.say("idle.begin"), Begin(), Icon.RIGHT, Tone.MAIN)
    return Page(
        name="idle",
        title=texts.say("idle.title"),
        footer=footer(flow.context, texts),
        banner=_joins(flow, texts),
        code=flow.joins.code,
        lines=(texts.say("idle.how"),),
        actions=(begin, *_languages(flow, texts)),
        # The desk names the file.
        notice=None if advice is None or advice.seen else texts.say(f"idle.advice.{advice.matter}"),
        keys=MappingProxyType({"return": Begin(), **_language_keys(flow)}),
    )


def _shut(flow: Flow, trouble: Trouble, texts: Texts) -> Page:
    """Return the page of a station that cannot judge, with the remedy; the error's own sentence names the file, for the director."""
    return Page(
        name="idle.trouble",
        title=texts.say("idle.shut"),
        footer=footer(flow.context, texts),
        banner=_joins(flow, texts) or Banner(texts.say("idle.call"), Icon.WARNING, Tone.WARNING),
        code=flow.joins.code,
        lines=(texts.say(f"trouble.{trouble.trouble_kind}"),),
        aside=texts.render(trouble.what.sentences),
        actions=_languages(flow, texts),
        keys=_language_keys(flow),
    )


def _joins(flow: Flow, texts: Texts) -> Banner | None:
    """Return what the director compares while the station asks the hall to take it in."""
    asked = flow.joins
    return Banner(texts.say("idle.joins", hall=asked.hall, digits=asked.digits), Icon.PERSON, Tone.WARNING) if asked.digits else None


def _languages(flow: Flow, texts: Texts) -> tuple[Target, ...]:
    return tuple(
        Target(f"language.{language}", texts.say(f"language.{language}"), event, key=key.upper())
        for (key, event), language in zip(_language_keys(flow).items(), _others(flow), strict=True)
    )


def _language_keys(flow: Flow) -> Mapping[str, Event]:
    return MappingProxyType({f"f{number}": ChooseLanguage(language) for number, language in enumerate(_others(flow), _FIRST)})


def _others(flow: Flow) -> tuple[str, ...]:
    return tuple(language for language in flow.context.languages if language != flow.language)


def players_page(flow: Flow, now: int, texts: Texts, keys: Keyboard) -> Page:
    """Return the page at ``now`` (ns).

    Args:
        now: an instant of the flow's clock, in ns.
        texts: in ``flow.language``.
        keys: the tiles of the lexicon's alphabet, as rows of keys.
    """
    if flow.still_there:
        # Without a notice, which may name a word.
        page = still_there_page(flow, _seconds_left(flow, now) or 0, texts)
    else:
        page = _with_notice(
            with_help(named(_step(flow, texts, keys)), texts, shown=flow.helping, more=_more_help(flow, texts)), flow, texts
        )
    common = replace(
        page,
        table=table_label(flow, texts),
        sides=_sides(flow, texts),
        practice=practice(flow.context, texts),
        countdown_s=_countdown(flow, now),
    )
    return named(common if flow.step is Step.JUDGING else with_door(common, texts))


def table_label(flow: Flow, texts: Texts) -> str | None:
    """Return the number of the flow's table once it is known."""
    return None if flow.known_table is None else texts.say("words.where", table=flow.known_table)


def _more_help(flow: Flow, texts: Texts) -> tuple[str, ...]:
    """Return what players learn before they have the words of a first play looked up that only misses the centre square (2017 III.G.1)."""
    asks = flow.step is Step.WORDS or (flow.step is Step.TABLE and flow.question in {Question.CHALLENGER, Question.COUNT})
    tells = asks and not (flow.calling or flow.leaving) and flow.context.rulebook.first_word_off_centre
    return (texts.say("help.off_centre"),) if tells else ()


def _with_notice(page: Page, flow: Flow, texts: Texts) -> Page:
    return page if flow.notice is None else replace(page, notice=texts.say(flow.notice.key, **dict(flow.notice.values)))


def _step(flow: Flow, texts: Texts, keys: Keyboard) -> Page:
    match flow.step:
        case _ if flow.calling:
            return called_page(flow, texts)
        case _ if flow.leaving:
            return ways_page(flow, texts)
        case Step.TABLE:
            return asking_page(flow, texts)
        case Step.WORDS:
            return words_page(flow, texts, keys)
        case Step.CHECKING:
            return checking_page(flow, texts)
        case Step.JUDGING:
            return judging_page(flow, texts)
        case _:
            return _ended(flow, texts)


def _ended(flow: Flow, texts: Texts) -> Page:
    """Return the page at the end of a challenge, or the idle page."""
    outcome = flow.outcome
    match flow.step:
        case Step.VERDICT if outcome is not None and outcome.consequence is not None:
            return verdict_page(flow, outcome, outcome.consequence, texts)
        case Step.SHOWN_AGAIN if flow.again is not None:
            return shown_again_page(flow, flow.again, texts)
        case Step.CLOSED if outcome is not None:
            return closed_page(flow, outcome, texts)
        case Step.DIRECTOR:
            return word_judge_page(flow, texts)
        case _:
            return idle_page(flow, texts)


def _sides(flow: Flow, texts: Texts) -> BySide[str] | None:
    """Return each player's role once the challenger is known; not if the players have gone back to an earlier question."""
    before_challenger = flow.step is Step.TABLE and flow.question not in {Question.LAST_PLAY, Question.COUNT}
    if flow.challenger is None or flow.step is Step.IDLE or before_challenger:
        return None
    roles = BySide.both(Role.CHALLENGED).replace(flow.challenger, Role.CHALLENGER)
    return roles.map(lambda role: texts.say(f"role.{role}"))


def _countdown(flow: Flow, now: int) -> int | None:
    """Return the seconds until the screen clears itself, in the last ten and while it asks whether anybody is still there."""
    left = _seconds_left(flow, now)
    return None if left is None or left > counted_s(flow) else left


def _seconds_left(flow: Flow, now: int) -> int | None:
    """Return the seconds until the screen clears itself, rounded up; None on the idle page, which has nothing to lose."""
    end = None if flow.step is Step.IDLE else clears_at(flow)
    return None if end is None else max(0, seconds_shown(end - now))


_TABLE = "12"


def rehearsal(context: StationContext, texts: Texts, keys: Keyboard) -> tuple[Page, ...]:
    """Return the pages from typing to either verdict, of an invented challenge.

    Args:
        texts: in ``context.language``.
        keys: the tiles of the lexicon's alphabet, as rows of keys.
    """
    words = ((), ())
    flow = Flow(context, Step.WORDS, language=context.language, digits=_TABLE, challenger=Side.LEFT, count=len(words), words=words)
    played = (flow, flow.replace(step=Step.CHECKING), *(_judged(flow, acceptable=acceptable) for acceptable in (True, False)))
    return tuple(players_page(each, each.touched, texts, keys) for each in played)


def _judged(flow: Flow, *, acceptable: bool) -> Flow:
    follows = consequence(flow.context.rulebook.challenge, len(flow.words), acceptable=acceptable)
    entry = Entry(Kind.LOOKUP, words=("",) * len(flow.words), acceptable=acceptable)
    return flow.replace(step=Step.VERDICT, outcome=Outcome(entry, 0, follows))
