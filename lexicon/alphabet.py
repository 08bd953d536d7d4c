"""Alphabets: the tiles of a language's game and how players type them. Read from the shipped ``alphabets/*.toml`` or a user's file.

The rest of the lexicon only uses the resulting ``Spelling``. Scores and counts are for programs that show tiles.
"""

import functools
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Final

from msgspec import Meta, field

from faults.errors import Phrase
from faults.small_file import is_path, read_written, toml_in
from faults.validation import Id, InvalidTable, Line, Misfit, Table, check, nearest, not_one_line, read_table, shown
from lexicon.errors import TILES_IN_ALPHABET, BadAlphabet, Unreadable
from lexicon.spelling import LONGEST_TEXT, Spelling, composing, is_normal, of_tiles_alone

_MAX_TYPED: Final = 500
_TEXT: Final = Phrase(
    "1 to {most} characters, in capitals, composed (NFC), without spaces, brackets or control characters", most=LONGEST_TEXT
)
_LINE: Final = "one line of text, at most 200 characters"
_NUMBER: Final = "a whole number from 0 to 1000"
_ALLOWED: Final = {
    "id": "lower-case letters, digits and hyphens, at most 64",
    "name": _LINE,
    "source": "one line of text, at most 200 characters: the tile set's origin",
    "blanks": _NUMBER,
    "tiles": Phrase("a list of 1 to {most} tiles, each with tile, score and count, in sorting order", most=TILES_IN_ALPHABET),
    "tile": _TEXT,
    "score": _NUMBER,
    "count": _NUMBER,
    "always": "true or false",
    "joined": "true or false",
    "coded": "a table of characters, each with the tile that some lists write it for",
    "typed": Phrase("a table of at most {most} texts, each with the list of tiles it stands for", most=_MAX_TYPED),
}
_Number = Annotated[int, Meta(ge=0, le=1000)]


def allowed(path: Sequence[str]) -> str | None:
    match path:
        case ["typed", _, *_]:
            return Phrase("a list of 1 to {most} texts of tiles", most=LONGEST_TEXT)
        case ["coded", *_]:
            return _ALLOWED["coded"]
        case [*_, last]:
            return _ALLOWED.get(last)
        case _:
            return None


def _not_in_form(key: str, text: str) -> Iterator[Misfit]:
    if not (0 < len(text) <= LONGEST_TEXT and text.isprintable() and not set(text) & set(" []") and is_normal(text)):
        yield Misfit(key=key, expected=_TEXT, found=shown(text), remedy="Correct it")


class Tile(Table, frozen=True):
    """A tile: its text, its score in points, its count in a set (0: only a blank can be it).

    ``always``: other tiles must not spell its text. ``joined``: its text always means it, unless brackets say otherwise.
    """

    text: str = field(name="tile")
    score: _Number
    count: _Number
    always: bool = False
    joined: bool = False

    @check
    def _has_text(self) -> Iterator[Misfit]:
        yield from _not_in_form("tile", self.text)


class Alphabet(Table, frozen=True, dict=True):
    """The tiles of a language's game, in sorting order: tile number n is ``tiles[n - 1]``.

    ``typed`` maps further texts to the tiles each stands for; ``source`` names the tile set's origin; ``blanks`` is their number.
    """

    id: Id
    name: Line
    source: Line
    tiles: Annotated[tuple[Tile, ...], Meta(min_length=1, max_length=TILES_IN_ALPHABET)]
    blanks: _Number
    typed: Annotated[Mapping[str, Annotated[tuple[str, ...], Meta(min_length=1, max_length=LONGEST_TEXT)]], Meta(max_length=_MAX_TYPED)] = (
        field(default_factory=dict)
    )
    coded: Annotated[Mapping[str, str], Meta(max_length=TILES_IN_ALPHABET)] = field(default_factory=dict)
    """Characters that some lists write for tiles, by which ``--coded`` reads them; other lists and players never mean these tiles by them."""

    @functools.cached_property
    def spelling(self) -> Spelling:
        numbers = {tile.text: number for number, tile in enumerate(self.tiles, 1)}
        typed = {text: bytes(numbers[tile] for tile in stands_for) for text, stands_for in self.typed.items()}
        always = (numbers[tile.text] for tile in self.tiles if tile.always)
        return Spelling(tuple(numbers), typed, always, (numbers[tile.text] for tile in self.tiles if tile.joined))

    @check
    def _has_lines(self) -> Iterator[Misfit]:
        for key in ("name", "source"):
            yield from not_one_line(self, key)

    @check
    def _has_typed_texts(self) -> Iterator[Misfit]:
        for text in self.typed:
            yield from _not_in_form(f"typed.{text}", text)

    @check
    def _has_each_tile_once(self) -> Iterator[Misfit]:
        texts = [tile.text for tile in self.tiles]
        for number, text in enumerate(texts, 1):
            first = texts.index(text) + 1
            if first != number:
                found = Phrase("{tile} as tiles {first} and {second}", tile=shown(text), first=first, second=number)
                yield Misfit(expected="each tile once", found=found, remedy="Remove one")

    @check
    def _keeps_tiles_side_by_side(self) -> Iterator[Misfit]:
        # NFC would compose an accent tile with the previous letter, and it would never be read as a tile again.
        for left, right in composing(tile.text for tile in self.tiles):
            found = Phrase("{one} and {other}", one=shown(left), other=shown(right))
            yield Misfit(expected="tiles that stay as they are side by side", found=found, remedy="Choose another text for one")

    @check
    def _types_tiles(self) -> Iterator[Misfit]:
        tiles = {tile.text for tile in self.tiles}
        for text in of_tiles_alone(self.typed, tiles):
            expected = "typed texts with a character that no tile has"
            yield Misfit(expected=expected, found=Phrase("{text}, which has none", text=shown(text)), remedy="Remove it")
        for text, stands_for in self.typed.items():
            for tile in stands_for:
                if tile not in tiles:
                    found = Phrase("{tile}, for which {text} stands", tile=shown(tile), text=shown(text))
                    yield Misfit(expected="tiles that typed texts stand for", found=found, remedy="Add that tile or correct it")

    @check
    def _codes_tiles(self) -> Iterator[Misfit]:
        tiles = {tile.text for tile in self.tiles}
        for text, tile in self.coded.items():
            if len(text) != 1 or tile not in tiles or text in tiles | self.typed.keys():
                found = Phrase("{text} for {tile}", text=shown(text), tile=shown(tile))
                yield Misfit(expected="coded characters of their own, each for a tile", found=found, remedy="Correct it")


def load_alphabet(id_or_path: str) -> Alphabet:
    """Return a shipped alphabet by id, or one from a file by path (it ends in ``.toml`` or contains a folder); raises ``BadAlphabet`` or ``Unreadable``."""
    if is_path(id_or_path):
        return _alphabet(id_or_path, read_written(id_or_path, "an alphabet's file", Unreadable))
    return _shipped(id_or_path)


_FOLDER: Final = Path(__file__).parent / "alphabets"
_SUFFIX: Final = ".toml"


@functools.cache
def alphabets() -> tuple[str, ...]:
    return tuple(sorted(file.stem for file in _FOLDER.glob(f"*{_SUFFIX}")))


@functools.cache
def _shipped(alphabet_id: str) -> Alphabet:
    if alphabet_id not in alphabets():
        raise BadAlphabet(
            expected=Phrase("an alphabet ({known}) or the path of a {suffix} file", known=", ".join(alphabets()), suffix=_SUFFIX),
            found=shown(alphabet_id),
            remedy=nearest(alphabet_id, alphabets()),
        )
    file = f"{alphabet_id}{_SUFFIX}"
    return _alphabet(file, (_FOLDER / file).read_bytes())


def _alphabet(file: str, content: bytes) -> Alphabet:
    try:
        return read_table(toml_in(file, content, BadAlphabet), Alphabet, allowed)
    except InvalidTable as invalid:
        raise invalid.first(BadAlphabet, file) from invalid
