"""The whole face: the station's one page, of the players, the judge desk, or the director's door. Pure."""

from collections.abc import Callable

from appliance.texts import Texts, about
from kiosk.challenge.flow import Flow, Outcome, Step
from kiosk.challenge.timeouts import countdown, last_seconds, opened
from kiosk.challenge.writing import is_fixed
from kiosk.context import StationContext
from kiosk.director.door import Door, Doorway, seconds_lapsed, shuts_at
from kiosk.events import Back, Role, consequence
from kiosk.face.judge_desk import judge_desk_pages
from kiosk.face.page import (
    TYPED,
    JudgeDeskView,
    Page,
    back,
    footer,
    named,
    on,
    pad,
    practice,
    table_label,
    with_door,
    with_every_key,
    with_help,
    with_own_keys,
)
from kiosk.face.players import asking_page, checking_page, concede_page, idle_page, ways_page, words_page
from kiosk.face.verdict import called_page, closed_page, shown_again_page, still_there_page, verdict_page, word_judge_page
from kiosk.keyboards import Keyboard, keyboard
from kiosk.station import Station
from kiosk.texts import load_texts
from records.entry import Entry, Kind
from rules.duration import seconds_shown
from rules.side import BySide, Side


def door_page(door: Door, context: StationContext, now: int, texts: Texts) -> Page:
    say, by_key = texts.say, (texts.say("door.key"),) if door.lock.key else ()
    page = Page("door.pin", say("door.title"), footer(context, texts), actions=(back(texts),), keys={"escape": Back()})
    if not door.lock.pin:
        return page.replace(name="door.none", title=say("door.none"), lines=(say("door.none_how"), *by_key))
    if door.shut_until is not None and door.shut(now):
        wait = say("door.shut", seconds=seconds_shown(door.shut_until - now))
        return page.replace(name="door.shut", title=wait, lines=(say("door.shut_why"), *by_key))
    return page.replace(
        lines=(say("door.how"), *by_key),
        entry="•" * len(door.digits),
        keyboard=pad(texts, on(say("door.open"))),
        notice=say("door.wrong") if door.wrong else None,
        typed=True,
        keys={**TYPED, "escape": Back()},
    )


def players_page(flow: Flow, now: int, texts: Texts, keys: Keyboard) -> Page:
    """Return the page at ``now`` (ns of the flow's clock); ``texts`` in ``flow.language``, ``keys``: the tiles of the alphabet, as rows of keys."""
    if flow.still_there:
        # Without a notice, which may name a word.
        page = still_there_page(flow, countdown(flow, now) or 0, texts)
    else:
        page = with_help(
            named(with_own_keys(_step(flow, texts, keys, now)), texts), texts, shown=flow.helping, about=_about_words(flow, texts)
        )
        if flow.notice is not None:
            page = page.replace(notice=texts.say(flow.notice.key, **dict(flow.notice.values)))
    common = page.replace(
        table=table_label(flow, texts),
        sides=_sides(flow, texts),
        practice=practice(flow.context, texts),
        countdown_s=countdown(flow, now),
    )
    return with_every_key(named(with_door(common, texts), texts), texts)


def _about_words(flow: Flow, texts: Texts) -> tuple[str, ...]:
    """Return the help for the words: of a repeat, or with what players learn before they have a first play looked up that only misses the centre square.

    Under III.G.1 (2017) such a play comes off whatever its words. None: another page is in sight.
    """
    if flow.step is not Step.WORDS or flow.calling or flow.leaving:
        return ()
    if is_fixed(flow):
        return (texts.say("help.words_repeat"),)
    return (texts.say("help.words"), *((texts.say("help.off_centre"),) if flow.context.rulebook.first_word_off_centre else ()))


def _step(flow: Flow, texts: Texts, keys: Keyboard, now: int) -> Page:
    match flow.step:
        case _ if flow.calling:
            return called_page(flow, texts)
        case _ if flow.conceding is not None:
            return concede_page(flow, flow.conceding, texts)
        case _ if flow.leaving:
            return ways_page(flow, texts)
        case Step.TABLE:
            return asking_page(flow, texts, now)
        case Step.WORDS:
            return words_page(flow, texts, keys)
        case Step.CHECKING:
            return checking_page(flow, texts)
        case _:
            return _ended(flow, texts)


def _ended(flow: Flow, texts: Texts) -> Page:
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
    if flow.challenger is None or flow.step in {Step.IDLE, Step.TABLE}:
        return None
    roles = BySide.both(Role.CHALLENGED).replace(flow.challenger, Role.CHALLENGER)
    return roles.map(lambda role: texts.say(f"role.{role}"))


def rehearsal(context: StationContext, texts: Texts, keys: Keyboard) -> tuple[Page, ...]:
    """Return the pages from typing to either verdict, of an invented challenge; ``texts`` in ``context.language``."""
    words = ((), ())
    flow = Flow(context, Step.WORDS, language=context.language, digits="12", challenger=Side.LEFT, count=len(words), words=words)
    played = (flow, flow.replace(step=Step.CHECKING), *(_judged(flow, acceptable=acceptable) for acceptable in (True, False)))
    return tuple(players_page(each, each.touched, texts, keys) for each in played)


def _judged(flow: Flow, *, acceptable: bool) -> Flow:
    follows = consequence(flow.context.rulebook.challenge, len(flow.words), acceptable=acceptable)
    entry = Entry(Kind.LOOKUP, words=("",) * len(flow.words), acceptable=acceptable)
    return flow.replace(step=Step.VERDICT, outcome=Outcome(entry, 0, follows), open=opened(flow, 0, flow.touched))


def page(station: Station, now: int, texts: Callable[[str], Texts], keys: Keyboard) -> Page:
    """Return the page on the screen at ``now`` (ns); ``texts`` by language: the players' may differ from the director's; no ``keys`` without a lexicon."""
    language = station.flow.language if station.door.is_closed else station.flow.station.language
    shown, lapsed = _page(station, now, texts(language), keys), seconds_lapsed(station.door, now)
    if lapsed is not None:
        shown = _instead(shown, texts(language).say("door.lapsed", seconds=lapsed))
    if station.close_asked_until is None:
        return shown
    # On every page: a first request to close that shows nothing seems to be ignored.
    return _instead(shown, texts(language).say("window.leaving"))


def _page(station: Station, now: int, texts: Texts, keys: Keyboard) -> Page:
    if station.door.is_closed:
        return players_page(station.flow, now, texts, keys)
    judging, shuts = station.judge_desk.judging, shuts_at(station.door)
    # A slip is judged by its table's division: its list and rulebook are the ones to show.
    context = station.flow.station if judging is None else judging.slip.context
    if station.door.way in {Doorway.OPEN, Doorway.FIRST_TEST}:
        shown = judge_desk_pages(JudgeDeskView(station.judge_desk, context, station.opinions, station.flow.in_progress, texts, keys), now)
    else:
        # The door hides the players' challenge, which waits for them.
        shown = door_page(station.door, context, now, texts).replace(table=table_label(station.flow, texts))
    shown = shown.replace(practice=practice(context, texts), countdown_s=None if shuts is None else last_seconds(shuts, now))
    full = with_every_key(with_help(named(shown, texts), texts, shown=station.door.helping), texts)
    useless = station.door.useless
    return (
        full
        if useless is None
        else _instead(full, texts.say("notice.key_behind" if useless.behind else "notice.no_key", pressed=useless.key))
    )


def _instead(page: Page, notice: str) -> Page:
    return page.replace(notice=notice, success=False)


class PageMaker:
    """Makes pages; ``layout`` of the on-screen keyboard: ``auto`` selects it by the page's language."""

    def __init__(self, layout: str) -> None:
        self._layout = layout

    def __call__(self, station: Station, now: int) -> Page:
        flow, judging = station.flow, station.judge_desk.judging
        # A slip has the tiles of its table's division.
        context = flow.context if judging is None else judging.slip.context
        return page(station, now, load_texts, self._keys(context, flow.language))

    def rehearsal(self, context: StationContext) -> tuple[Page, ...]:
        return rehearsal(context, load_texts(context.language), self._keys(context, context.language))

    def _keys(self, context: StationContext, language: str) -> Keyboard:
        spelling = context.spelling
        layout = about(language).say("keyboard") if self._layout == "auto" else self._layout
        return () if spelling is None else keyboard(layout, spelling.tiles)
