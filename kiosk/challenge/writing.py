"""The words: the challenger types, adds, changes and removes them freely until adjudication (2012 IV.J.1, 2017 IV.J.1.b), then both players see them.

The lexicon's spelling defines characters and tiles, and how a word is made of tiles. A piece of a word is a keyboard character, perhaps a part of a tile
(the C of CH), or the tile of an on-screen key. In the text that is looked up, a tile that could be read otherwise is in brackets. Without a lexicon, a word
judge can still write slips: every letter then counts as a tile.
"""

import functools
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Final

from msgspec.structs import replace

from kiosk import events as ev
from kiosk.challenge.flow import Flow, Notice, Step, TypedWord, notice, with_notice
from lexicon.errors import TILES_ON_BOARD, Ambiguous, Unspellable
from lexicon.spelling import LONGEST_TEXT, Spelling, normalised
from records.entry import Entry, Kind
from rules.tables import WORDS_IN_CHALLENGE

LONGEST_WORD: Final = TILES_ON_BOARD
SHORTEST_WORD: Final = 2
_CACHED: Final = 4
"""The number of alphabets whose characters are cached: the one in use, and those loaded next."""


def lookup_text(word: TypedWord) -> str:
    """Return the text for the lexicon: keys of several letters, and tiles that could be read otherwise, are in brackets."""
    return "".join(piece if len(piece) == 1 or piece.startswith("[") else f"[{piece}]" for piece in word)


def log_text(word: TypedWord, spelling: Spelling | None) -> str:
    """Return the spelling of a word for the log and the slips, the same for typed letters and for tile keys; looking it up gives the same result.

    Brackets surround only what would be read otherwise without; an incomplete word stays as typed.
    """
    text = lookup_text(word)
    try:
        return text if spelling is None else spelling.text(spelling.codes(text))
    except Unspellable:
        return text


def shown_text(word: TypedWord) -> str:
    return "".join(piece.strip("[]") for piece in word)


def pieces_of(character: str, spelling: Spelling | None) -> TypedWord | None:
    """Return the pieces of a typed (composed) character: capitals; for an accented letter that is on no tile, the tiles that represent it.

    None: the character belongs to no tile and to no typed form of one. That includes the digit that some lists write for a tile.
    """
    capitals = normalised(character) if spelling is None else spelling.normalised(character)
    if spelling is None:
        return tuple(capitals) if capitals.isalpha() else None
    if capitals in spelling.typed:
        # The capital of ΐ ends with a mark, which is no letter.
        return _stands_for(capitals, spelling) if capitals[0].isalpha() else None
    return tuple(capitals) if set(capitals) <= _of_tiles(spelling) else None


def with_pieces(word: TypedWord, pieces: TypedWord, spelling: Spelling | None) -> TypedWord:
    """Return the word with ``pieces`` appended; if they complete the typed form of a tile (the L.L of Catalan), the tile replaces it."""
    longer = (*word, *pieces)
    for length in range(min(len(longer), LONGEST_TEXT), 1, -1) if spelling is not None else ():
        text = "".join(longer[-length:])
        if spelling is not None and text in spelling.typed:
            return (*longer[:-length], *_stands_for(text, spelling))
    return longer


def piece_of(tile: str, spelling: Spelling | None) -> str | None:
    if spelling is None:
        return tile if len(tile) == 1 and tile.isalpha() else None
    if tile not in spelling.tiles:
        return None
    return f"[{tile}]" if tile in _parts(spelling) else tile


def tiles_in(word: TypedWord, spelling: Spelling | None) -> int:
    """Return the number of tiles of a word; for an incomplete one, the number once its last tile (such as a half-typed L·L) is complete."""
    if spelling is None:
        return len(word)
    laid = _laid(word, spelling)
    if laid is not None:
        return laid
    counts = [0]
    for end in range(1, len(word) + 1):
        laid = _laid(word[:end], spelling)
        counts.append(1 + min(counts[end - length] for length in _last(word[:end], spelling)) if laid is None else laid)
    return counts[-1]


def fault(word: TypedWord, spelling: Spelling | None) -> Notice | None:
    """Return why a word cannot be looked up, or None: it is too short, it has no spelling in tiles, or more than one."""
    shown = shown_text(word)
    try:
        tiles = len(word) if spelling is None else len(spelling.codes(lookup_text(word)))
    except Ambiguous:
        return notice("ambiguous", word=shown)
    except Unspellable:
        return notice("unspellable", word=shown)
    return notice("short", word=shown, least=SHORTEST_WORD) if tiles < SHORTEST_WORD else None


def cleaned(text: str) -> str:
    """Return a typed text without control characters; tabs and line ends remain, as white space."""
    return "".join(character for character in text if character in "\t\n\v\f\r" or not unicodedata.category(character).startswith("C"))


def named(characters: Iterator[str]) -> str:
    """Return characters for a sentence, each once; unprintable ones as their code point."""
    return " ".join(dict.fromkeys(_named(character) for character in characters))


def _named(character: str) -> str:
    alone = character.isprintable() and not unicodedata.combining(character)
    return character if alone else f"U+{ord(character):04X}"


def _stands_for(text: str, spelling: Spelling) -> TypedWord:
    return tuple(filter(None, (piece_of(spelling.tiles[number - 1], spelling) for number in spelling.typed[text])))


def _laid(word: TypedWord, spelling: Spelling) -> int | None:
    try:
        return len(spelling.codes(lookup_text(word)))
    except Unspellable:
        return None


def _last(word: TypedWord, spelling: Spelling) -> list[int]:
    """Return how many pieces at the end of a word may be one half-typed tile; always includes 1."""
    most = min(len(word), LONGEST_TEXT - 1)
    return [1, *(length for length in range(2, most + 1) if "".join(word[-length:]) in _begun(spelling))]


@functools.lru_cache(_CACHED)
def _begun(spelling: Spelling) -> frozenset[str]:
    return frozenset(text[:end] for text in (*spelling.tiles, *spelling.typed) for end in range(1, len(text)))


@functools.lru_cache(_CACHED)
def _of_tiles(spelling: Spelling) -> frozenset[str]:
    return frozenset(character for text in (*spelling.tiles, *spelling.typed) for character in text)


@functools.lru_cache(_CACHED)
def _parts(spelling: Spelling) -> frozenset[str]:
    """Return the tiles that side by side may be read as another: A and B, if there is an AB. Not C and H of Spanish, which are never side by side."""
    joined = {spelling.tiles[number - 1] for number in spelling.joined}
    longer = [tile for tile in spelling.tiles if len(tile) > 1 and (tile in joined or _laid(tuple(tile), spelling) is None)]
    return frozenset(tile for tile in spelling.tiles if len(tile) == 1 and any(tile in text for text in longer))


def entry(flow: Flow, kind: Kind, **more: Any) -> Entry:
    """Return an entry of ``kind`` for ``flow``: table, challenger, the words typed so far, rulebook and list; and ``more`` of its fields."""
    known = Entry(
        kind=kind,
        table=flow.table,
        challenger=None if flow.challenger is None else str(flow.challenger),
        words=tuple(log_text(word, flow.context.spelling) for word in flow.words if word),
        first=first_row(flow),
        last_play=flow.last_play,
        rulebook=flow.context.rulebook.id,
        lexicon=flow.context.lexicon,
    )
    return replace(known, **more)


def first_row(flow: Flow) -> int | None:
    """Return the row of the challenge's first look-up, which repeats and second opinions refer to; None if there is none."""
    if flow.link is not None:
        return flow.link.first
    return None if flow.outcome is None else flow.outcome.row


_LONGEST_PASTE: Final = 1_000
"""The number of characters read from a pasted text: more than eight words of fifteen tiles have."""


def write(flow: Flow, event: ev.ChallengeEvent, at: int) -> Flow:
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
        case ev.AddWord():
            return _begin_word(flow)
        case ev.RemoveWord(index):
            return _removed(flow, index)
        case _:
            return flow


def written(flow: Flow, words: tuple[TypedWord, ...] | None, at: int) -> Flow:
    """Return the flow in the step WORDS from ``at`` (ns) on, with these words (None: unchanged); the first empty word is chosen."""
    words = flow.words if words is None else words
    chosen = next((index for index, word in enumerate(words) if not word), len(words) - 1)
    return flow.replace(step=Step.WORDS, since=at, words=words, chosen=chosen)


def is_fixed(flow: Flow) -> bool:
    """Return whether the number of words has to match that of an earlier look-up."""
    return flow.link is not None


def slips(before: tuple[str, ...], typed: tuple[TypedWord, ...], spelling: Spelling | None) -> bool:
    """Return whether ``typed`` are the words ``before`` in any order, one of them changed at most, by a slip of the fingers.

    More would show which word of a play fails: each repeat could leave out another one.
    """
    old = Counter(_tiles(text, spelling) for text in before)
    new = Counter(_tiles(log_text(word, spelling), spelling) for word in typed)
    gone, come = tuple((old - new).elements()), tuple((new - old).elements())
    return len(before) == len(typed) and len(gone) <= 1 and all(map(is_slip, gone, come))


def is_slip(before: Sequence[object], after: Sequence[object]) -> bool:
    """Return whether one tile was typed wrong, left out or added, or two neighbours were exchanged."""
    short, long = sorted((before, after), key=len)
    if len(long) - len(short) > 1:
        return False
    start = next((index for index, pair in enumerate(zip(short, long, strict=False)) if pair[0] != pair[1]), len(short))
    if len(short) < len(long):
        return short[start:] == long[start + 1 :]
    exchanged = (*long[start + 1 : start + 2], *long[start : start + 1])
    one_wrong = short[start + 1 :] == long[start + 1 :]
    return one_wrong or ((*short[start : start + 2],) == exchanged and short[start + 2 :] == long[start + 2 :])


def _tiles(text: str, spelling: Spelling | None) -> tuple[object, ...]:
    return tuple(text if spelling is None else spelling.codes(text))


def _removed(flow: Flow, index: int) -> Flow:
    if is_fixed(flow):
        return with_notice(flow, "repeat_fixed", count=flow.count or 0)
    if not 0 <= index < len(flow.words):
        return flow
    words = (*flow.words[:index], *flow.words[index + 1 :]) or ((),)
    if words == flow.words:
        return with_notice(flow, "nothing_typed")
    return flow.replace(words=words, chosen=min(flow.chosen - (index < flow.chosen), len(words) - 1))


def _type(flow: Flow, text: str, at: int) -> Flow:
    """Type characters; white space inside goes to the next word, at the end it acts as ``Next``."""
    first, *rest = re.split(r"\s+", unicodedata.normalize("NFC", cleaned(text[:_LONGEST_PASTE])))
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
    added = not is_fixed(flow) and flow.chosen == len(flow.words) - 1
    return flow.replace(words=flow.words[:-1] if added else flow.words, chosen=flow.chosen - 1)


def _begin_word(flow: Flow) -> Flow:
    word = flow.words[flow.chosen]
    wrong = fault(word, flow.context.spelling) if word else notice("word_empty")
    if wrong is not None:
        return flow.replace(notice=wrong)
    following = _next_slot(flow)
    if following is not None:
        return following
    fixed = is_fixed(flow)
    return with_notice(flow, "repeat_fixed", count=flow.count or 0) if fixed else with_notice(flow, "words_full", most=WORDS_IN_CHALLENGE)


def _next(flow: Flow, at: int) -> Flow:
    return _begin_word(flow) if flow.words[flow.chosen] and has_room(flow) else _finish(flow, at)


def has_room(flow: Flow) -> bool:
    return _next_slot(flow) is not None


def _next_slot(flow: Flow) -> Flow | None:
    """Return the flow at an empty word, so that no letter is added to one that is there; None: the number is fixed, or at its limit."""
    empty = next((index for index, word in enumerate(flow.words) if not word and index != flow.chosen), None)
    if empty is not None:
        return flow.replace(chosen=empty)
    if is_fixed(flow) or len(flow.words) == WORDS_IN_CHALLENGE:
        return None
    return flow.replace(words=(*flow.words, ()), chosen=len(flow.words))


def _finish(flow: Flow, at: int) -> Flow:
    """Show the words to both players if each is valid and their number is that of a repeat's first try; empty words do not count."""
    typed = tuple(filter(None, flow.words))
    if not typed:
        return with_notice(flow, "nothing_typed")
    for index, word in enumerate(flow.words):
        wrong = fault(word, flow.context.spelling) if word else None
        if wrong is not None:
            return flow.replace(chosen=index, notice=wrong)
    if is_fixed(flow) and len(typed) != flow.count:
        # Choose the empty word, if any: the next input must not extend another word.
        missing = next((index for index, word in enumerate(flow.words) if not word), flow.chosen)
        return with_notice(flow.replace(chosen=missing), "count_differs", count=flow.count or 0, words=len(typed))
    if flow.link is not None and flow.link.kind is Kind.REPEAT and not slips(flow.link.words, typed, flow.context.spelling):
        return with_notice(flow, "no_slip")
    return flow.replace(step=Step.CHECKING, since=at, words=typed, count=len(typed), chosen=0)
