"""The pages with the words: typing them; the words, large and locked for both players, with the challenged player's key; the moment of the look-up.

From the first two, one target leads to the ways to end a challenge without a look-up.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from appliance.texts import Texts
from kiosk import events as ev
from kiosk.challenge.apply import conceded, has_way_out
from kiosk.challenge.flow import Flow
from kiosk.challenge.writing import has_room, is_fixed, shown_text
from kiosk.face.page import TOWARDS, Icon, ListRow, Page, Target, Tone, WordLine, footer
from kiosk.face.targets import FUNCTION_KEYS, back, director, erase, key_name, keys, link_lines, tile
from kiosk.face.verdict import following
from kiosk.keyboards import WIDEST, Keyboard
from records.entry import Kind, Way
from rules.side import BySide, Side
from rules.tables import WORDS_IN_CHALLENGE


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
    others = (back(texts), director(texts))
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
        actions=others,
        by_side=concede if concedes else None,
        keys=keys(others, {**_own_keys(), "escape": ev.Back()}),
    )


def concede_page(flow: Flow, side: Side, texts: Texts) -> Page:
    """Return the page that names the cost before ``side`` concedes; the way back is the main one."""
    sure = Target("concede.sure", texts.say("concede.sure"), ev.Concede(side), Icon.WARNING)
    actions = (sure, back(texts).replace(tone=Tone.MAIN), director(texts))
    return Page(
        name="concede",
        title=texts.say(f"concede.title.{side}"),
        footer=footer(flow.context, texts),
        lines=following(conceded(flow, side), flow.challenger or Side.LEFT, texts),
        actions=actions,
        keys=keys(actions, {"return": ev.Back(), "escape": ev.Back()}),
    )


def _own_keys() -> Mapping[str, ev.Event]:
    return {FUNCTION_KEYS["withdraw"]: ev.Withdraw(), **{FUNCTION_KEYS[f"concede.{side}"]: ev.AskToConcede(side) for side in Side}}


def words_page(flow: Flow, texts: Texts, board: Keyboard) -> Page:
    actions = _actions(flow, texts)
    return Page(
        name="words",
        # A repeat is of the same words: their places stand there.
        title=texts.say("words.slip" if is_fixed(flow) else "words.title"),
        footer=footer(flow.context, texts),
        words=tuple(_line(flow, index) for index in range(len(flow.words))),
        keyboard=_keyboard(board, texts),
        alphabet=flow.context.alphabet,
        actions=actions,
        typed=True,
        keys=keys(actions, _named(flow)),
    )


def _line(flow: Flow, index: int) -> WordLine:
    chosen = index == flow.chosen
    choose = None if chosen else Target(f"word.{index + 1}", str(index + 1), ev.ChooseWord(index))
    return WordLine(index + 1, shown_text(flow.words[index]), chosen, choose)


def _keyboard(board: Keyboard, texts: Texts) -> tuple[tuple[Target, ...], ...]:
    """Return the tiles as keys, and the erase key at the end of the last row, or in a new one if that is full."""
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
    actions = (back(texts), director(texts), *ways(flow, texts))
    key = Target(
        "adjudicate", texts.say("checking.adjudicate"), ev.Adjudicate(Way.TOUCH), TOWARDS.of(challenged), Tone.MAIN, key_name("tab", texts)
    )
    return Page(
        name="checking",
        title=texts.say("checking.title"),
        footer=footer(flow.context, texts),
        lines=(*link_lines(flow.link, texts), texts.say("checking.together"), texts.say(f"checking.key.{challenged}")),
        words=word_lines(flow),
        actions=actions,
        adjudicate=(challenged, key),
        keys=keys(actions, {**ways_keys(flow), "tab": ev.Adjudicate(Way.TAB), "escape": ev.Back()}),
    )


def word_lines(flow: Flow) -> tuple[WordLine, ...]:
    return tuple(WordLine(number, shown_text(word)) for number, word in enumerate(flow.words, 1))


def judging_page(flow: Flow, texts: Texts) -> Page:
    return Page(name="judging", title=texts.say("judging.title"), footer=footer(flow.context, texts), lines=(texts.say("judging.wait"),))
