"""Converts texts to tiles and back: the only entry for words. Also how the header of a lexicon file stores a ``Spelling``; FORMAT.md describes every byte.

A word is a sequence of tiles, as bytes: tile 1 is the first of the alphabet. CH may be one tile, and there may be two ways to spell A·L·L: such a text is
rejected, not guessed. Only this module normalises Unicode (NFC, upper case).

Every opening of a lexicon imports it, so it imports little itself: a station's first look-up waits for it.
"""

from __future__ import annotations

from itertools import pairwise

from faults.errors import Phrase
from lexicon.errors import TILES_IN_WORD, Ambiguous, Unspellable, inconsistent_header

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence


LONGEST_TEXT = 4
"""The most characters of a tile's text or typed form. No game needs more, and longer ones would allow too many ways to spell a text."""

UNSURE = 255
"""In ``Spelling.quick``: this character alone does not determine a tile."""


_LONGEST_WORD = TILES_IN_WORD * (LONGEST_TEXT + 2)
"""The longest text that could be a word, all in brackets, in characters; longer ones are rejected unread."""

_KNOWN, _SHORT = 1 << 16, 16
"""Cache limits: number of parts of texts, and characters per part."""

_NO_CAPITALS = frozenset("ıſﬀﬁﬂﬃﬄﬅﬆ")
"""Characters whose Unicode upper case is a plain letter, but that are never typed for it. Without ß, whose capitals are SS in the German game too."""


class Spelling:
    """How the tiles of one alphabet spell texts.

    Args:
        tiles: the text of each tile in the alphabet's order, normalised (NFC, upper case); at most 63.
        typed: further texts, normalised, and the tile numbers each stands for: accented letters, the "1" some lists use for CH. Each has a character that
            no tile has.
        always: numbers of the tiles whose text other tiles must not spell (Spanish CH: C and H side by side are not CH).
        joined: numbers of the tiles that their text always means, unless brackets say otherwise (Croatian NJ: N and J are written [N]J).
    """

    __slots__ = (
        "_alone", "_begun", "_forbidden", "_known", "_pieces", "_reach", "_uncut", "_whole", "_within", "always", "dotted", "joined", "joins",
        "quick", "tiles", "typed",
    )  # fmt: skip

    def __init__(self, tiles: Sequence[str], typed: Mapping[str, bytes], always: Iterable[int] = (), joined: Iterable[int] = ()) -> None:
        self.tiles = tuple(tiles)
        self.typed = dict(typed)
        self.always = frozenset(always)
        self.joined = frozenset(joined)
        self.joins = any(len(text) > 1 for text in (*self.tiles, *self.typed))
        """Whether any tile or typed form has more than one character, so that neighbouring tiles matter."""
        self.dotted = any("İ" in tile for tile in self.tiles)
        self._pieces = self._by_first_character()
        self._whole = self._read_whole()
        bracketed = [f"[{tile}]" for tile in self.tiles]
        self._within = {text[at : at + 2] for text in (*self.tiles, *self.typed, *bracketed) for at in range(len(text) - 1)}
        self._known: dict[str, list[bytes]] = {}
        laid = dict(enumerate(self.tiles, 1))
        self._forbidden = frozenset(way for number in self.always for way in _every(laid, laid[number]) if len(way) > 1)
        self._begun = frozenset(way[:end] for way in self._forbidden for end in range(1, len(way)))
        self._reach = max(map(len, self._begun), default=0)
        broken = set(b"".join(self._forbidden))
        # A typed form of the C in an always-whole CH: next to an H, the letters alone would not show that CH is split.
        breaking = {text for text, tiles in self.typed.items() if broken & set(tiles)}
        self._uncut = {character for text in breaking for character in text}.difference(*self.tiles)
        self._alone = {character: tile for character, tile in self._settled().items() if character not in self._uncut}
        self.quick = self._quick()

    def codes(self, text: str) -> bytes:
        """Return the tile numbers of ``text``, a byte each; empty for an empty text.

        Letters may be of either case, composed or not. [CH] in brackets is always that tile. Raises ``Unspellable`` if no sequence of tiles spells it,
        ``Ambiguous`` if several do.
        """
        if text.isascii():
            quick = text.encode("ascii").translate(self.quick)
            if UNSURE not in quick:
                return quick
        if len(text) > _LONGEST_WORD:
            raise Unspellable(
                expected=Phrase("a word of at most {count} tiles", count=TILES_IN_WORD),
                found=Phrase("{count:,} characters", count=len(text)),
                remedy="Check the spelling",
            )
        whole = self.normalised(text)
        try:
            return bytes([self._alone[character] for character in whole])
        except KeyError:
            parts = self._read(whole)
        if not all(parts):
            raise Unspellable(expected="a text that the alphabet's tiles spell", found=self._unspellable(text), remedy="Check the spelling")
        if any(len(ways) > 1 for ways in parts):
            found = " or ".join(map(self._bracketed, self._ways(self._joined_up(whole))))
            raise Ambiguous(
                expected=Phrase("one way to spell {text}", text=repr(shortened(text))),
                found=shortened(found),
                remedy="Put tiles of more than one letter in brackets",
            )
        return b"".join([ways[0] for ways in parts])

    def normalised(self, text: str) -> str:
        """Return ``text`` in the form of the tiles: beside a tile with İ, as in Turkish, i is its small letter, and the dotless i that of I."""
        if not self.dotted:
            return normalised(text)
        # Composed first: î is no small letter of İ with a mark.
        return normalised(text.replace("i\u0302", "î").replace("i\u0307", "i").replace("i", "İ").replace("\u0131", "I"))

    def text(self, codes: bytes) -> str:
        """Return the canonical text of ``codes``: the tiles' texts in sequence, with brackets only where they would be read differently without.

        Raises ``IndexError`` for a number outside the alphabet.
        """
        plain = "".join([self.tiles[code - 1] for code in codes])
        if not self.joins:
            return plain
        parts = self._read(plain)
        return plain if all(len(ways) == 1 for ways in parts) and b"".join([ways[0] for ways in parts]) == codes else self._bracketed(codes)

    def can_spell(self, codes: bytes) -> bool:
        """Return whether the codes split no tile that must stay whole."""
        return not any(tiles in codes for tiles in self._forbidden)

    def may_split_tiles(self, pairs: Collection[tuple[int, int]]) -> bool:
        """Return whether ``can_spell`` may be false for words with only these pairs of neighbouring tiles."""
        return any(all(pair in pairs for pair in pairwise(tiles)) for tiles in self._forbidden)

    def needs_brackets(self, pairs: Collection[tuple[int, int]]) -> bool:
        """Return whether ``text`` may need brackets for words with only these pairs of neighbouring tiles."""
        split = any(self._read(tile) != [[bytes((number,))]] for number, tile in enumerate(self.tiles, 1))
        return split or any(self.tiles[first - 1][-1] + self.tiles[second - 1][0] in self._within for first, second in pairs)

    def _read(self, text: str) -> list[list[bytes]]:
        return [self._part(part) for part in self._parts(self._joined_up(text))]

    def _joined_up(self, text: str) -> str:
        """Return a normalised text with brackets around each tile that its text always means: from the left, the longest that begins there."""
        if not self._whole:
            return text
        pieces, at = [], 0
        while at < len(text):
            piece, read = next((each for each in self._whole.get(text[at], ()) if text.startswith(each[0], at)), (text[at], text[at]))
            pieces.append(read)
            at += len(piece)
        return "".join(pieces)

    def _parts(self, text: str) -> list[str]:
        """Cut a normalised text wherever no tile can span the cut, so that the parts are spelled independently."""
        if (self._forbidden and "[" in text) or not self._uncut.isdisjoint(text):
            return [text]
        cuts = [at for at in range(1, len(text)) if text[at - 1 : at + 1] not in self._within]
        return [text[start:end] for start, end in zip([0, *cuts], [*cuts, len(text)], strict=True)]

    def _part(self, part: str) -> list[bytes]:
        """Return the ways to spell one of the ``_parts``, cached: there are few, and they recur."""
        ways = self._known.get(part)
        if ways is None:
            ways = self._ways(part)
            if len(self._known) < _KNOWN and len(part) <= _SHORT:
                self._known[part] = ways
        return ways

    def _ways(self, text: str) -> list[bytes]:
        """Return the allowed ways to spell a normalised text: none, one, or the first two."""
        ends: list[dict[bytes, list[bytes]]] = [{b"": [b""]}, *({} for _ in text)]
        for start, here in enumerate(ends):
            for piece, tiles in self._pieces.get(text[start], ()) if here and start < len(text) else ():
                if text.startswith(piece, start):
                    self._lay([way + tiles for ways in here.values() for way in ways], ends[start + len(piece)])
        return list(dict.fromkeys(way for ways in ends[-1].values() for way in ways))[:2]

    def _lay(self, ways: list[bytes], there: dict[bytes, list[bytes]]) -> None:
        """Store ``ways`` by their open end; two per end are enough to show ambiguity."""
        for way in ways:
            alike = there.setdefault(self._open_end(way), [])
            if len(alike) < 2 and way not in alike and not any(tiles in way for tiles in self._forbidden):
                alike.append(way)

    def _open_end(self, way: bytes) -> bytes:
        """Return the last tiles of a way that could become forbidden with the next ones; only these matter for what follows."""
        ends = (way[at:] for at in range(max(0, len(way) - self._reach), len(way)))
        return next((end for end in ends if end in self._begun), b"")

    def _by_first_character(self) -> dict[str, list[tuple[str, bytes]]]:
        numbered = [(tile, bytes((number,))) for number, tile in enumerate(self.tiles, 1)]
        pieces: dict[str, list[tuple[str, bytes]]] = {}
        for piece, tiles in (*self.typed.items(), *numbered, *((f"[{tile}]", number) for tile, number in numbered)):
            pieces.setdefault(piece[0], []).append((piece, tiles))
        return pieces

    def _read_whole(self) -> dict[str, list[tuple[str, str]]]:
        """Return what ``_joined_up`` does not look into, and how it writes it, by its first character: nothing if no tile is joined."""
        own = {f"[{tile}]": f"[{tile}]" for tile in self.tiles} | {text: text for text in self.typed}
        pieces = own | {self.tiles[number - 1]: f"[{self.tiles[number - 1]}]" for number in self.joined} if self.joined else {}
        by_first: dict[str, list[tuple[str, str]]] = {}
        for piece in sorted(pieces, key=len, reverse=True):
            by_first.setdefault(piece[0], []).append((piece, pieces[piece]))
        return by_first

    def _settled(self) -> dict[str, int]:
        """Return the characters that are always one and the same tile."""
        return {
            first: pieces[0][1][0]
            for first, pieces in self._pieces.items()
            if len(pieces) == 1 and len(pieces[0][0]) == 1 == len(pieces[0][1])
        }

    def _quick(self) -> bytes:
        """Return, for each ASCII character in either case, the tile it always is, or ``UNSURE``."""
        return bytes([self._alone.get(self.normalised(chr(code)), UNSURE) if code < 128 else UNSURE for code in range(256)])

    def _bracketed(self, codes: bytes) -> str:
        opening = {tile[0] for tile in self.tiles if len(tile) > 1}
        texts = [self.tiles[code - 1] for code in codes]
        return "".join(f"[{text}]" if len(text) > 1 or text in opening else text for text in texts)

    def _unspellable(self, text: str) -> Phrase:
        """Return what is found where tiles cannot spell ``text``: its first character on no tile, or that a tile is split."""
        known = {character for pieces in self._pieces.values() for piece, _ in pieces for character in piece}
        # Normalise each alone: next to a letter without a capital the whole text stays as typed.
        strange = [character for character in self.normalised(text) if not known.issuperset(normalised(character))]
        found = repr(shortened(text))
        if strange:
            return Phrase("{text}, where {character} is on no tile", text=found, character=repr(strange[0]))
        return Phrase("{text}, which splits a tile or leaves part of one over", text=found)


def normalised(text: str) -> str:
    """Return ``text`` in upper case and composed (NFC): the form for comparing texts and tiles."""
    if text.isascii():
        return text.upper()
    from unicodedata import normalize  # noqa: PLC0415 - not needed for ASCII, which most input is

    composed = normalize("NFC", text)
    # Upper case can decompose a letter (ŉ), so compose again.
    return composed if _NO_CAPITALS & set(composed) else normalize("NFC", composed.upper())


def is_normal(text: str) -> bool:
    """Return whether ``text`` is in the form of tiles: upper case, composed, without letters that have another's capital."""
    return normalised(text) == text and _NO_CAPITALS.isdisjoint(text)


def composing(tiles: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield each pair of tile texts that NFC changes when joined, such as a letter and an accent; they could not be read back as tiles."""
    texts = tuple(tiles)
    return ((left, right) for left in texts for right in texts if normalised(left + right) != left + right)


def of_tiles_alone(typed: Iterable[str], tiles: Iterable[str]) -> Iterator[str]:
    """Yield each typed form without a character of its own: neighbouring tiles could be read as it, so that a written list would not read back the same."""
    characters = {character for tile in tiles for character in tile}
    return (text for text in typed if characters >= set(text))


def _every(laid: Mapping[int, str], text: str) -> list[bytes]:
    if not text:
        return [b""]
    return [bytes((number,)) + rest for number, tile in laid.items() if text.startswith(tile) for rest in _every(laid, text[len(tile) :])]


def shortened(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:40]}…"


_ALWAYS, _JOINED = 1, 2
"""Flags of a tile: other tiles must not spell its text; its text always means it, unless brackets say otherwise."""


def unpack_tiles(data: bytes, tiles: int, typed: int) -> Spelling:
    """Return the spelling of the alphabet in ``data``, with exactly so many tiles and typed forms; raises ``Damaged``."""
    try:
        at, texts, flags = 0, [], []
        for _ in range(tiles):
            flags.append(data[at])
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
    always, joined = ([number for number, each in enumerate(flags, 1) if each & flag] for flag in (_ALWAYS, _JOINED))
    return Spelling(texts, stands, always, joined)


def pack_tiles(spelling: Spelling) -> bytes:
    """Return an alphabet's tiles and typed forms as bytes for ``unpack_tiles``."""
    tiles = [
        (_ALWAYS * (number in spelling.always) | _JOINED * (number in spelling.joined), tile.encode())
        for number, tile in enumerate(spelling.tiles, 1)
    ]
    typed = [(text.encode(), numbers) for text, numbers in sorted(spelling.typed.items())]
    packed_tiles = [bytes((flags, len(text))) + text for flags, text in tiles]
    return b"".join(packed_tiles + [bytes((len(text), len(numbers))) + text + numbers for text, numbers in typed])


def _is_alphabet(tiles: list[str], typed: dict[str, bytes]) -> bool:
    """Return whether these make a ``Spelling`` with bounded run time, by the same rules as for alphabet files (``lexicon.alphabet``)."""
    texts = (*tiles, *typed)
    bare = all(0 < len(text) <= LONGEST_TEXT and text.isprintable() and not set(text) & set(" []") for text in texts)
    numbered = all(stands and min(stands) > 0 and max(stands) <= len(tiles) for stands in typed.values())
    distinct = len(set(texts)) == len(texts) and list(typed) == sorted(typed)
    return bare and numbered and distinct and not any(composing(tiles)) and not any(of_tiles_alone(typed, tiles))
