"""What a face says to a player's ear beside the one before it, and what a player who asks hears: clips, the words of the screen for a voice. Pure.

A sentence is news if it was not on the face before; a reading in it that counts is none.
"""

import re
from collections.abc import Iterator
from typing import Final

from firmware.face.value import Face, HalfFace, MenuFace, MessageTone, WindowFace
from firmware.gestures.clock_state import ClockState
from firmware.texts import Texts
from rules.duration import NS
from rules.side import Side

Clips = tuple[str, ...]
"""Said one after the other."""
TWICE_NS: Final = NS
_SEPARATOR: Final = " · "
_READING: Final = re.compile(r"(-?)(\d+):(\d\d)")
_MINUS: Final = re.compile(r"(?<!\w)-(?=\d)")
"""Voices leave it out in some languages: a penalty would sound like points gained."""
_SHORT_SECONDS: Final = re.compile(r"(\d+)[ \u00a0]s\b")
_AHEAD: Final = ("phase.", "status.", "prompt.", "note.", "answer.", "act.", "banner.", "strip.", "table_menu.", "window.", "speech.")
_MINUTE: Final = 60


def news(before: Face, after: Face, side: Side, texts: Texts) -> Clips:
    known = {*map(_still, _sentences(before, side))}
    old, new = before.halves.of(side), after.halves.of(side)
    if old.tone is MessageTone.ANSWERS is not new.tone and old.status == new.status:
        # It stood there before the answer.
        known.update(_still(each) for each in new.prompt.split(_SEPARATOR))
    return tuple(_in_words(each, texts) for each in _sentences(after, side) if each and _still(each) not in known)


def times(face: Face, side: Side, texts: Texts) -> Clips:
    """Return both times, for ``side``, with that player's state, marks and time frame."""
    own, other = face.halves.of(side), face.halves.of(side.other)
    rest = (*own.marks, *_of_window(face.window, side))
    return (
        *filter(None, (own.status,)),
        texts.say("speech.you"),
        *_time(own.reading, texts),
        texts.say("speech.opponent"),
        *_time(other.reading, texts),
        *(_in_words(each, texts) for each in rest),
    )


def asked(before: ClockState, after: ClockState) -> Iterator[Side]:
    """Yield the players who have pressed their own button twice within a second, while it answers that it does nothing."""
    last = {(each.where, each.message.key): each.until for each in before.answers if each.message.key.startswith("answer.")}
    for each in after.answers:
        earlier = last.get((each.where, each.message.key))
        if each.where is not None and earlier is not None and 0 < each.until - earlier <= TWICE_NS:
            yield each.where


def ahead(state: ClockState) -> Iterator[str]:
    """Yield the clips that are likely, the times first."""
    texts = state.setup.texts
    counts = (_counted(count, what, texts) for count in range(_MINUTE) for what in ("minute", "second"))
    said = (text for key, text in texts.by_key.items() if key.startswith(_AHEAD))
    sentences = (_in_words(each, texts) for text in said for each in text.split(_SEPARATOR) if each and "{" not in each)
    yield from dict.fromkeys((*counts, *sentences))


def _still(sentence: str) -> str:
    return _READING.sub("", sentence)


def _sentences(face: Face, side: Side) -> Iterator[str]:
    for text in _texts(face, face.halves.of(side)):
        yield from text.split(_SEPARATOR)


def _texts(face: Face, half: HalfFace) -> Iterator[str]:
    if face.menu is not None:
        yield face.menu.title
    elif half.page is not None:
        yield from _of_page(half.page)
    else:
        yield from (face.called, "" if face.banner in half.status else face.banner, half.status)
        if half.tone is not MessageTone.QUIET:
            yield half.prompt
        yield from (half.note, *_of_window(face.window, half.side), *half.marks, *face.details, face.hint)


def _of_page(page: MenuFace) -> Iterator[str]:
    yield from (page.title, *page.lines, page.sentence)
    if page.chosen is not None:
        yield page.rows[page.chosen]
    if page.digit is not None:
        yield from page.figures
    yield page.hint


def _of_window(window: WindowFace | None, side: Side) -> tuple[str, ...]:
    return () if window is None else (f"{window.title} {window.reading}", window.read_by(side).text)


def _in_words(sentence: str, texts: Texts) -> str:
    told = _READING.sub(lambda found: " ".join(_time(found[0], texts)), sentence)
    told = _MINUS.sub(f"{texts.say('speech.below_zero')} ", told)
    return _SHORT_SECONDS.sub(lambda found: _counted(int(found[1]), "second", texts), told)


def _time(reading: str, texts: Texts) -> Iterator[str]:
    minus, minutes, seconds = _READING.fullmatch(reading).groups()  # type: ignore[union-attr] # a reading
    if minus:
        yield texts.say("speech.below_zero")
    if int(minutes):
        yield _counted(int(minutes), "minute", texts)
    if int(seconds) or not int(minutes):
        yield _counted(int(seconds), "second", texts)


def _counted(count: int, what: str, texts: Texts) -> str:
    return texts.say(f"speech.{what}") if count == 1 else texts.say(f"speech.{what}s", count=count)
