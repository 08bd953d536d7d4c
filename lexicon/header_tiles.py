"""The alphabet in a lexicon file's header, and its ``Spelling``. FORMAT.md describes every byte.

Separate from the header because most openings do not need it: the quick table is enough for words of plain letters.
"""

from __future__ import annotations

from lexicon.errors import inconsistent_header
from lexicon.spelling import LONGEST_TEXT, Spelling, composing, of_tiles_alone

_ALWAYS = 1
"""Flag of a tile whose text other tiles must not spell."""


def unpack_tiles(data: bytes, tiles: int, typed: int) -> Spelling:
    """Return the spelling of the alphabet in ``data``: exactly ``tiles`` tiles and ``typed`` typed forms.

    Raises:
        Damaged: it is not a valid alphabet.
    """
    try:
        at, texts, always = 0, [], []
        for number in range(1, tiles + 1):
            if data[at] & _ALWAYS:
                always.append(number)
            length = data[at + 1]
            texts.append(data[at + 2 : at + 2 + length].decode())
            at += 2 + length
        stands = {}
        for _ in range(typed):
            length, count = data[at], data[at + 1]
            stands[data[at + 2 : at + 2 + length].decode()] = data[at + 2 + length : at + 2 + length + count]
            at += 2 + length + count
    except (IndexError, UnicodeDecodeError) as error:
        raise inconsistent_header("its tiles") from error
    if at != len(data) or len(stands) != typed or not _is_alphabet(texts, stands):
        raise inconsistent_header("its tiles")
    return Spelling(texts, stands, always)


def pack_tiles(spelling: Spelling) -> bytes:
    """Return an alphabet's tiles and typed forms as bytes for ``unpack_tiles``."""
    tiles = [(_ALWAYS if number in spelling.always else 0, tile.encode()) for number, tile in enumerate(spelling.tiles, 1)]
    typed = [(text.encode(), numbers) for text, numbers in sorted(spelling.typed.items())]
    packed_tiles = [bytes((flags, len(text))) + text for flags, text in tiles]
    return b"".join(packed_tiles + [bytes((len(text), len(numbers))) + text + numbers for text, numbers in typed])


def _is_alphabet(tiles: list[str], typed: dict[str, bytes]) -> bool:
    """Return whether these make a ``Spelling`` with bounded run time, by the same rules as for alphabet files (``alphabet_schema``)."""
    texts = (*tiles, *typed)
    bare = all(0 < len(text) <= LONGEST_TEXT and text.isprintable() and not set(text) & set(" []") for text in texts)
    numbered = all(stands and min(stands) > 0 and max(stands) <= len(tiles) for stands in typed.values())
    distinct = len(set(texts)) == len(texts) and list(typed) == sorted(typed)
    return bare and numbered and distinct and not any(composing(tiles)) and not any(of_tiles_alone(typed, tiles))
