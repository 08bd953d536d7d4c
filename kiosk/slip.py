"""A challenge slip, from the flow's request to print: a record for the players and the director.

It reveals no more than the screen: the play's words as typed, one verdict for all of them, the consequence. No word is marked, moved or left out, and
nothing on it depends on which of them failed.
"""

import re
import textwrap
from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from appliance.texts import Texts
from hardware.printer.slip import Slip, SlipLine
from kiosk.events import Print
from kiosk.face.page import lexicon_line
from kiosk.face.verdict import by_role
from records.entry import Entry, Kind

_INDENT: Final = "  "
"""Indents the continuation of a line unless it is centred, so that it does not look like a line of its own."""


def fitted(line: SlipLine, width: int) -> Iterator[SlipLine]:
    """Yield the line as lines of ``width`` characters (at least 8). A large line becomes normal if one of its words does not fit."""
    room = width // 2 if line.large else width
    if line.large and max(map(len, line.text.split()), default=0) > room:
        yield from fitted(replace(line, large=False), width)
        return
    indent = "" if line.centred else _INDENT
    # Do not break at hyphens: a word on the paper is a play's word.
    for text in textwrap.wrap(line.text, room, subsequent_indent=indent, break_on_hyphens=False) or [""]:
        yield replace(line, text=text)


def compose(wanted: Print, station: str, time: str, texts: Texts, width: int) -> Slip:
    """Return the slip in the players' language, for paper of ``width`` characters; ``time``: the wall time as text."""
    entry = wanted.entry
    parts = (_heading(entry, time, texts), _play(entry, texts), _verdict(wanted, texts), _record(wanted, station, texts))
    return tuple(line for part in parts for given in (*part, SlipLine("")) for line in fitted(given, width))[:-1]


def _heading(entry: Entry, time: str, texts: Texts) -> Slip:
    table = () if entry.table is None else (SlipLine(texts.say("words.where", table=entry.table), large=True, bold=True, centred=True),)
    return (
        *_practice(entry, texts),
        SlipLine(texts.say("slip.title"), bold=True, centred=True),
        *table,
        SlipLine(time, centred=True),
    )


def _practice(entry: Entry, texts: Texts) -> Slip:
    if entry.lexicon is None or not entry.lexicon.practice:
        return ()
    return (
        SlipLine(texts.say("practice.across"), large=True, bold=True, centred=True),
        SlipLine(texts.say("desk.lexicons.practice"), centred=True),
    )


def _play(entry: Entry, texts: Texts) -> Slip:
    who = () if entry.challenger is None else (SlipLine(texts.say(f"slip.challenger.{entry.challenger}")),)
    # For players, without the lexicon's brackets around tiles.
    words = (SlipLine(f"{number}. {re.sub(r'[][]', '', word)}") for number, word in enumerate(entry.words, 1))
    return (*who, SlipLine(texts.say("words.declared", count=len(entry.words))), *words)


def _verdict(wanted: Print, texts: Texts) -> Slip:
    follows = wanted.consequence
    verdict = texts.say("verdict.acceptable" if follows.acceptable else "verdict.unacceptable")
    off_board = () if follows.acceptable else (texts.say("verdict.off_board"),)
    last = (texts.say("slip.last_play"),) if follows.acceptable and wanted.entry.last_play is None else ()
    return (
        *_which(wanted.entry, texts),
        SlipLine(verdict, large=True, bold=True, centred=True),
        *map(SlipLine, (*off_board, *by_role(follows, texts), *last)),
    )


def _which(entry: Entry, texts: Texts) -> Slip:
    key = {Kind.REPEAT: "verdict.repeat", Kind.SECOND_OPINION: "verdict.second_opinion", Kind.MANUAL: "judge.title"}.get(entry.kind)
    remark = () if key is None else (SlipLine(texts.say(key), bold=True, centred=True),)
    first = () if entry.first is None else (SlipLine(texts.say("slip.first", row=entry.first), centred=True),)
    return (*remark, *first)


def _record(wanted: Print, station: str, texts: Texts) -> Slip:
    row = texts.say("verdict.unlogged") if wanted.row is None else texts.say("slip.row", row=wanted.row)
    asked = wanted.entry.lexicon
    # The station does not know a judge's book.
    lexicon = () if asked is None else (texts.say("slip.lexicon", lexicon=lexicon_line(asked, texts)),)
    return tuple(map(SlipLine, (row, texts.say("slip.rulebook", rulebook=wanted.rulebook), *lexicon, station)))
