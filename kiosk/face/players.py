"""The players' pages before adjudication: the idle one, one for each question, and those with the words.

The words are typed; then they stand there for both players, large and locked, with the challenged player's key; then they are looked up. From the first two
pages one target leads to the ways to end a challenge without a look-up.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from appliance.texts import Texts
from kiosk import events as ev
from kiosk.challenge.apply import conceded, has_way_out
from kiosk.challenge.flow import Flow, Question
from kiosk.challenge.timeouts import of_table
from kiosk.challenge.writing import has_room, is_fixed, shown_text
from kiosk.context import Trouble
from kiosk.face.page import (
    FUNCTION_KEYS,
    SEPARATOR,
    TOWARDS,
    Banner,
    Icon,
    ListRow,
    Page,
    Target,
    Tone,
    WordLine,
    back,
    director,
    erase,
    footer,
    key_name,
    link_lines,
    on,
    pad,
    tile,
)
from kiosk.face.verdict import following
from kiosk.keyboards import WIDEST, Keyboard
from records.entry import Kind, Way
from rules.duration import reading
from rules.side import BySide, Side
from rules.tables import WORDS_IN_CHALLENGE

_ONCE_MORE: Final[Mapping[str, ev.Event]] = {"again": ev.RepeatIt(), "verdict": ev.ShowVerdict()}
_SIDE_KEYS: Final[Mapping[str, ev.Event]] = {"left": ev.ChooseChallenger(Side.LEFT), "right": ev.ChooseChallenger(Side.RIGHT)}


def asking_page(flow: Flow, texts: Texts, now: int) -> Page:
    match flow.question:
        case Question.TABLE:
            return _table(flow, texts)
        case Question.CHALLENGER:
            return _challenger(flow, texts)
        case Question.REPEAT:
            return _repeat(flow, texts, now)
        case Question.LOOKING:
            return _looking(flow, texts)
        case Question.RUNS:
            return _runs(flow, texts)


def _table(flow: Flow, texts: Texts) -> Page:
    return _number_page("table.table", flow, texts, (back(texts), director(texts)), {"escape": ev.Back()})


def _number_page(name: str, flow: Flow, texts: Texts, actions: tuple[Target, ...], named: Mapping[str, ev.Event]) -> Page:
    """Return a page with the pad for the table's number, and with the players' sides unless the table's clock is asked."""
    sides = {} if flow.asks_clock else _SIDE_KEYS
    return Page(
        name=name,
        footer=footer(flow.context, texts),
        actions=actions,
        room_for=len(flow.context.languages),
        title=texts.say("table.title" if flow.asks_clock else "table.challenger"),
        lines=(texts.say("table.how" if flow.asks_clock else "table.challenger_how"),),
        aside=texts.say("idle.how"),
        entry=flow.digits,
        keyboard=pad(texts, on(texts.say("action.next")) if flow.asks_clock else None),
        by_side=None if flow.asks_clock else _challengers(texts),
        typed=True,
        keys=MappingProxyType({**sides, **named, "return": ev.Next(), "backspace": ev.Erase()}),
    )


def _looking(flow: Flow, texts: Texts) -> Page:
    """Say that the table's clock is asked; it answers, or the players are asked, within a moment."""
    return Page(
        name="table.looking",
        title=texts.say("looking.title", table=flow.table),
        footer=footer(flow.context, texts),
        lines=(texts.say("looking.wait"),),
        actions=(back(texts), director(texts)),
        keys={"escape": ev.Back()},
    )


def _runs(flow: Flow, texts: Texts) -> Page:
    """Say that the table's clock runs (2017 IV.J.1.a). Once it stands, the next question comes by itself."""
    return Page(
        name="table.runs",
        title=texts.say("runs.title"),
        footer=footer(flow.context, texts),
        lines=(texts.say("runs.how", table=flow.table),),
        actions=(back(texts), Target("runs.ask", texts.say("runs.ask"), ev.ClockNotRunning(), Icon.CLOCK), director(texts)),
        keys={"escape": ev.Back()},
    )


def _challenger(flow: Flow, texts: Texts) -> Page:
    return Page(
        name="table.challenger",
        title=texts.say("challenger.title"),
        footer=footer(flow.context, texts),
        lines=(texts.say("challenger.how"),),
        by_side=_challengers(texts),
        actions=(back(texts), director(texts)),
        keys={**_SIDE_KEYS, "escape": ev.Back()},
    )


def _challengers(texts: Texts) -> BySide[Target]:
    return BySide(Side.LEFT, Side.RIGHT).map(
        lambda side: Target(f"challenger.{side}", texts.say("challenger.me"), ev.ChooseChallenger(side), TOWARDS.of(side), contested=True)
    )


def _repeat(flow: Flow, texts: Texts, now: int) -> Page:
    """Ask whether this is about the table's last challenge: it is repeated (2017 IV.J.1.j), or its verdict is shown once more."""
    open_, verdict = of_table(flow.open, flow.table), of_table(flow.verdicts, flow.table)
    again = _once_more("again", None if open_ is None else open_.until - now, texts)
    shown = _once_more("verdict", None if verdict is None else verdict.until - now, texts)
    another = Target("repeat.another", texts.say("repeat.another"), ev.NewChallenge(), tone=Tone.MAIN)
    return Page(
        name="table.repeat",
        title=texts.say("repeat.title"),
        footer=footer(flow.context, texts),
        rows=(again, shown, ListRow(another.text, texts.say("repeat.another_how"), another)),
        actions=(back(texts), director(texts)),
        keys={"return": another.event, "escape": ev.Back()},
    )


def _once_more(kind: str, left: int | None, texts: Texts) -> ListRow:
    target = Target(f"repeat.{kind}", texts.say(f"repeat.{kind}"), _ONCE_MORE[kind], tone=Tone.OFF if left is None else Tone.PLAIN)
    if left is None:
        return ListRow(target.text, texts.say(f"repeat.{kind}_over"), target)
    how = (texts.say(f"repeat.{kind}_how"), texts.say("repeat.left", left=reading(max(0, left))))
    return ListRow(target.text, SEPARATOR.join(how), target)


_LANGUAGE_KEY: Final = "f11"
"""The key for the next language: a key of its own, as F2 calls the director from a table's first digit on."""


def idle_page(flow: Flow, texts: Texts) -> Page:
    """Return the page of a station at rest: the first digit of a table's number begins a challenge, on a pad that keeps its place."""
    if flow.context.trouble is not None:
        return _shut(flow, flow.context.trouble, texts)
    if flow.joins.digits:
        return _joining(flow, texts)
    advice, asks = flow.context.advice, flow.replace(asks_clock=flow.linked)
    page = _number_page("idle", asks, texts, _languages(flow), _language_keys(flow))
    # The judge desk names the file.
    return page if advice is None or advice.seen else page.replace(notice=texts.say(f"idle.advice.{advice.matter}"))


def _joining(flow: Flow, texts: Texts) -> Page:
    """Return the page of a station at rest that asks the hall to take it in: its code has the room of the pad."""
    begin = Target("begin", texts.say("idle.begin"), ev.Begin(), Icon.RIGHT, Tone.MAIN)
    return Page(
        name="idle.joining",
        title=texts.say("idle.title"),
        footer=footer(flow.context, texts),
        banner=_joins(flow, texts),
        code=flow.joins.code,
        lines=(texts.say("idle.how"),),
        actions=(begin, *_languages(flow)),
        keys=MappingProxyType({"return": ev.Begin(), **_language_keys(flow)}),
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
        actions=_languages(flow),
        keys=_language_keys(flow),
    )


def _joins(flow: Flow, texts: Texts) -> Banner | None:
    asked = flow.joins
    return Banner(texts.say("idle.joins", hall=asked.hall, digits=asked.digits), Icon.PERSON, Tone.WARNING) if asked.digits else None


def _languages(flow: Flow) -> tuple[Target, ...]:
    """Return all languages at fixed places, the next one with the key; the present one is grey, also if there is no other: the pad keeps its place."""
    following = _language_keys(flow).get(_LANGUAGE_KEY)

    def target(language: str, name: str) -> Target:
        icon, tone = (Icon.TICK, Tone.OFF) if language == flow.language else (None, Tone.PLAIN)
        event = ev.ChooseLanguage(language)
        return Target(f"language.{language}", name, event, icon, tone, _LANGUAGE_KEY.upper() if event == following else "")

    return tuple(target(language, name) for language, name in flow.context.languages.items())


def _language_keys(flow: Flow) -> Mapping[str, ev.Event]:
    codes = tuple(flow.context.languages)
    following = dict(zip(codes, (*codes[1:], *codes[:1]), strict=True)).get(flow.language, flow.language)
    return MappingProxyType({} if following == flow.language else {_LANGUAGE_KEY: ev.ChooseLanguage(following)})


def ways(flow: Flow, texts: Texts) -> tuple[Target, ...]:
    """Return the target for the ways out, if the rulebook in force has any; a single stray touch must not end a challenge."""
    return (Target("ways", texts.say("ways.action"), ev.ShowWaysOut(), tone=Tone.QUIET),) if has_way_out(flow) else ()


def ways_keys(flow: Flow) -> Mapping[str, ev.Event]:
    """Return the keys of all ways out: they lead to the same page, or say that this rulebook has none, because they have a function under others."""
    meant = _own_keys()
    return MappingProxyType(dict.fromkeys(meant, ev.ShowWaysOut()) if has_way_out(flow) else meant)


def ways_page(flow: Flow, texts: Texts) -> Page:
    """Return the page of the ways out: withdraw (2017 IV.I.3), or concede by either player (IV.I.3.5), on that player's side.

    A play with a verdict cannot be withdrawn; after a request for a second opinion, it cannot be conceded either.
    """
    rule, link = flow.context.rulebook.challenge, flow.link
    challenger = flow.challenger or Side.LEFT
    withdraw = Target("withdraw", texts.say("withdraw.action"), ev.Withdraw(), TOWARDS.of(challenger))
    withdraws = rule.may_withdraw and link is None
    concedes = rule.may_concede and (link is None or link.kind is not Kind.SECOND_OPINION)
    mine = "concede.challenger" if conceded(flow, challenger).turn_lost_by is None else "concede.loses_turn"
    concede = BySide(Side.LEFT, Side.RIGHT).map(
        lambda side: Target(
            f"concede.{side}",
            texts.say(mine if side is flow.challenger else "concede.challenged"),
            ev.AskToConcede(side),
            TOWARDS.of(side),
            contested=True,
        )
    )
    return Page(
        name="ways",
        title=texts.say("ways.title"),
        footer=footer(flow.context, texts),
        lines=(texts.say("ways.how"),) if withdraws else (),
        # First and largest, because it costs nothing.
        rows=(ListRow(withdraw.text, target=withdraw),) if withdraws else (),
        actions=(back(texts), director(texts)),
        by_side=concede if concedes else None,
        keys={**_own_keys(), "escape": ev.Back()},
    )


def concede_page(flow: Flow, side: Side, texts: Texts) -> Page:
    """Return the page that names the cost before ``side`` concedes; the way back is the main one."""
    sure = Target("concede.sure", texts.say("concede.sure"), ev.Concede(side), Icon.WARNING)
    return Page(
        name="concede",
        title=texts.say(f"concede.title.{side}"),
        footer=footer(flow.context, texts),
        lines=following(conceded(flow, side), flow.challenger or Side.LEFT, texts),
        actions=(sure, back(texts).replace(tone=Tone.MAIN), director(texts)),
        keys={"return": ev.Back(), "escape": ev.Back()},
    )


def _own_keys() -> Mapping[str, ev.Event]:
    return {FUNCTION_KEYS["withdraw"]: ev.Withdraw(), **{FUNCTION_KEYS[f"concede.{side}"]: ev.AskToConcede(side) for side in Side}}


def words_page(flow: Flow, texts: Texts, board: Keyboard) -> Page:
    return Page(
        name="words",
        # A repeat is of the same words: their places stand there.
        title=texts.say("words.slip" if is_fixed(flow) else "words.title"),
        footer=footer(flow.context, texts),
        words=tuple(_line(flow, index) for index in range(len(flow.words))),
        keyboard=_keyboard(board, texts),
        alphabet=flow.context.alphabet,
        actions=_actions(flow, texts),
        typed=True,
        keys=_named(flow),
    )


def _line(flow: Flow, index: int) -> WordLine:
    chosen = index == flow.chosen
    choose = None if chosen else Target(f"word.{index + 1}", str(index + 1), ev.ChooseWord(index))
    return WordLine(index + 1, shown_text(flow.words[index]), chosen, choose)


def _keyboard(board: Keyboard, texts: Texts) -> tuple[tuple[Target, ...], ...]:
    rows = tuple(tuple(map(tile, row)) for row in board)
    if rows and len(rows[-1]) < WIDEST:
        return (*rows[:-1], (*rows[-1], erase(texts)))
    return (*rows, (erase(texts),))


def _actions(flow: Flow, texts: Texts) -> tuple[Target, ...]:
    """Return the ways on, the way back, and the others, of which the ways out are last, farthest from the ways on. They keep their places while words are typed.

    The check is the main way on: most challenges have one word, and only the players know which is the last. Words can be removed until adjudication
    (2017 IV.J.1.b); a repeat keeps its number.
    """
    finish = Target("finish", texts.say("words.finish"), ev.Finish(), Icon.TICK, Tone.MAIN)
    remove = Target("remove", texts.say("words.remove", number=flow.chosen + 1), ev.RemoveWord(flow.chosen), Icon.MINUS)
    return (finish, _another(flow, texts), back(texts), *(() if is_fixed(flow) else (remove,)), director(texts), *ways(flow, texts))


def _another(flow: Flow, texts: Texts) -> Target:
    if not flow.words[flow.chosen] or has_room(flow):
        return Target("next", texts.say("words.next"), ev.AddWord(), Icon.RIGHT)
    why = texts.say("words.next_fixed", count=flow.count or 0) if is_fixed(flow) else texts.say("words.next_full", most=WORDS_IN_CHALLENGE)
    return Target("next", why, ev.AddWord(), tone=Tone.OFF)


def _named(flow: Flow) -> dict[str, ev.Event]:
    """Return the keys without a target: Return goes on, arrows choose a word, Delete removes it, function keys say why they do nothing."""
    remove = ev.RemoveWord(flow.chosen)
    named: dict[str, ev.Event] = {
        **ways_keys(flow),
        "return": ev.Next(),
        "backspace": ev.Erase(),
        "escape": ev.Back(),
        "delete": remove,
        FUNCTION_KEYS["remove"]: remove,
    }
    if flow.chosen > 0:
        named["up"] = ev.ChooseWord(flow.chosen - 1)
    if flow.chosen + 1 < len(flow.words):
        named["down"] = ev.ChooseWord(flow.chosen + 1)
    return named


def checking_page(flow: Flow, texts: Texts) -> Page:
    """Return the page on which both players check the words and the challenged one adjudicates (2017 IV.J.1.h)."""
    challenged = (flow.challenger or Side.LEFT).other
    key = Target(
        "adjudicate", texts.say("checking.adjudicate"), ev.Adjudicate(Way.TOUCH), TOWARDS.of(challenged), Tone.MAIN, key_name("tab", texts)
    )
    return Page(
        name="checking",
        title=texts.say("checking.title"),
        footer=footer(flow.context, texts),
        lines=(*link_lines(flow.link, texts), texts.say("checking.together"), texts.say(f"checking.key.{challenged}")),
        words=word_lines(flow),
        actions=(back(texts), director(texts), *ways(flow, texts)),
        adjudicate=(challenged, key),
        keys={**ways_keys(flow), "tab": ev.Adjudicate(Way.TAB), "escape": ev.Back()},
    )


def word_lines(flow: Flow) -> tuple[WordLine, ...]:
    return tuple(WordLine(number, shown_text(word)) for number, word in enumerate(flow.words, 1))
