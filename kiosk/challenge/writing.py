"""The words: the challenger types, adds, changes and removes them freely until adjudication (2012 IV.J.1, 2017 IV.J.1.b), then both players see them."""

from __future__ import annotations

import re
from typing import Final
from unicodedata import normalize

from game.challenge_log.entry import Kind
from kiosk.challenge import events as ev
from kiosk.challenge.context import LONGEST_WORD
from kiosk.challenge.flow import Flow, Notice, Step, TypedWord
from kiosk.challenge.notices import notice, with_notice
from kiosk.challenge.spelling import cleaned, fault, named, piece_of, pieces_of, tiles_in, with_pieces
from rules.limits import WORDS_IN_CHALLENGE

_LONGEST_PASTE: Final = 1_000
"""The number of characters read from a pasted text: more than eight words of fifteen tiles have."""


def write(flow: Flow, event: ev.ChallengeEvent, at: int) -> Flow:
    """Return the flow after an event of the step WORDS; other events change nothing."""
    match event:
        case ev.Type(text):
            return _type(flow, text, at)
        case ev.TypeTile(tile):
            piece = piece_of(tile, flow.context.spelling)
            return flow if piece is None else _with_pieces(flow, (piece,))
        case ev.Erase():
            return _erase(flow)
        case ev.Next():
            return _next(flow, at)
        case ev.Finish():
            return _finish(flow, at)
        case ev.ChooseWord(index) if 0 <= index < len(flow.words):
            return flow.replace(chosen=index)
        case ev.AddWord() | ev.RemoveWord() | ev.ChooseCount():
            return _change_slots(flow, event)
        case _:
            return flow


def written(flow: Flow, words: tuple[TypedWord, ...] | None, at: int) -> Flow:
    """Return the flow in the step WORDS from ``at`` (ns) on, with these words (None: unchanged); the first empty word is chosen."""
    words = flow.words if words is None else words
    chosen = next((index for index, word in enumerate(words) if not word), len(words) - 1)
    return flow.replace(step=Step.WORDS, since=at, words=words, chosen=chosen)


def with_count(flow: Flow, count: int) -> Flow:
    """Return the flow with ``count`` words declared: empty words are added or removed, typed words stay."""
    words = flow.words
    while len(words) > count and not words[-1]:
        words = words[:-1]
    words += ((),) * (count - len(words))
    return flow.replace(count=count, words=words, chosen=min(flow.chosen, len(words) - 1))


def is_declared(flow: Flow) -> bool:
    """Return whether the number of words precedes the words and has to match: declared first, or fixed by a repeat."""
    return flow.context.limits.count_first or flow.link is not None


def _change_slots(flow: Flow, event: ev.AddWord | ev.RemoveWord | ev.ChooseCount) -> Flow:
    if flow.link is not None and flow.link.kind is Kind.REPEAT:
        return with_notice(flow, "repeat_fixed", count=flow.count or 0)
    match event:
        case ev.AddWord():
            added = _add(flow)
            return with_notice(flow, "words_full", most=WORDS_IN_CHALLENGE) if added is None else added
        case ev.RemoveWord(index) if 0 <= index < len(flow.words):
            words = (*flow.words[:index], *flow.words[index + 1 :]) or ((),)
            return flow.replace(words=words, chosen=min(flow.chosen - (index < flow.chosen), len(words) - 1))
        case ev.ChooseCount(count) if 1 <= count <= WORDS_IN_CHALLENGE:
            return with_count(flow, count)
        case _:
            return flow


def _add(flow: Flow) -> Flow | None:
    return flow.replace(words=(*flow.words, ()), chosen=len(flow.words)) if len(flow.words) < WORDS_IN_CHALLENGE else None


def _type(flow: Flow, text: str, at: int) -> Flow:
    """Type characters; white space inside goes to the next word, at the end it acts as ``Next``."""
    first, *rest = re.split(r"\s+", normalize("NFC", cleaned(text[:_LONGEST_PASTE])))
    notices = [notice("cut")] if len(text) > _LONGEST_PASTE else []
    flow = _characters(flow, first, notices)
    for part in rest:
        if not part:
            flow = _next(flow, at) if flow.words[flow.chosen] else flow
            break
        following = _next_slot(flow) if flow.words[flow.chosen] else flow
        if following is None:
            notices.append(notice("left_out", count=len(flow.words)))
            break
        flow = _characters(following, part, notices)
    return flow if flow.notice is not None or not notices else flow.replace(notice=notices[-1])


def _characters(flow: Flow, text: str, notices: list[Notice]) -> Flow:
    """Type a text without white space; ``notices`` collects notices about dropped characters."""
    spelling = flow.context.spelling
    strange = [character for character in text if pieces_of(character, spelling) is None]
    for character in text:
        typed = _with_pieces(flow, pieces_of(character, spelling) or ())
        if typed.notice is not None:
            notices.append(typed.notice)
            break
        flow = typed
    if strange:
        notices.append(notice("strange", characters=named(iter(strange))))
    return flow


def _with_pieces(flow: Flow, pieces: TypedWord) -> Flow:
    word = with_pieces(flow.words[flow.chosen], pieces, flow.context.spelling)
    if tiles_in(word, flow.context.spelling) > LONGEST_WORD:
        return with_notice(flow, "word_full", most=LONGEST_WORD)
    return flow.replace(words=_replaced(flow, word))


def _replaced(flow: Flow, word: TypedWord) -> tuple[TypedWord, ...]:
    return (*flow.words[: flow.chosen], word, *flow.words[flow.chosen + 1 :])


def _erase(flow: Flow) -> Flow:
    word = flow.words[flow.chosen]
    if word:
        return flow.replace(words=_replaced(flow, word[:-1]))
    if flow.chosen == 0:
        return flow
    added = not is_declared(flow) and flow.chosen == len(flow.words) - 1
    return flow.replace(words=flow.words[:-1] if added else flow.words, chosen=flow.chosen - 1)


def _next(flow: Flow, at: int) -> Flow:
    """Go to the next word if this one is valid; after the last, finish."""
    word = flow.words[flow.chosen]
    wrong = fault(word, flow.context.spelling) if word else None
    if wrong is not None:
        return flow.replace(notice=wrong)
    last = flow.chosen == len(flow.words) - 1
    following = _next_slot(flow) if word or not last else None
    return _finish(flow, at) if following is None else following


def _next_slot(flow: Flow) -> Flow | None:
    """Return the flow at the next word; None: there is none and none can be added, because the number is declared or at its limit."""
    if flow.chosen + 1 < len(flow.words):
        return flow.replace(chosen=flow.chosen + 1)
    return None if is_declared(flow) else _add(flow)


def _finish(flow: Flow, at: int) -> Flow:
    """Show the words to both players if each is valid and their number matches the declared one; empty words do not count."""
    typed = tuple(filter(None, flow.words))
    if not typed:
        return with_notice(flow, "nothing_typed")
    for index, word in enumerate(flow.words):
        wrong = fault(word, flow.context.spelling) if word else None
        if wrong is not None:
            return flow.replace(chosen=index, notice=wrong)
    if is_declared(flow) and len(typed) != flow.count:
        # Choose the empty word, if any: the next input must not extend another word.
        missing = next((index for index, word in enumerate(flow.words) if not word), flow.chosen)
        return with_notice(flow.replace(chosen=missing), "count_differs", count=flow.count or 0, words=len(typed))
    return flow.replace(step=Step.CHECKING, since=at, words=typed, count=len(typed), chosen=0)
