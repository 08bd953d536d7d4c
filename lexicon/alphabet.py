"""Alphabets: the tiles of a language's game and how players type them. Read from the shipped ``alphabets/*.toml`` or a user's file.

``alphabet_schema`` checks the files; the rest of the lexicon only uses the resulting ``Spelling``. Scores and counts are for programs that show tiles.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Final

from msgspec import Struct

from faults.errors import Phrase
from faults.small_file import read_written, toml_in
from lexicon.errors import BadAlphabet, Unreadable
from lexicon.spelling import Spelling

_SUFFIX: Final = ".toml"


class Tile(Struct, frozen=True):
    """A tile: its text, its score in points, its count in a set (0: only a blank can be it).

    ``always``: other tiles must not spell its text. ``joined``: its text always means it, unless brackets say otherwise.
    """

    text: str
    score: int
    count: int
    always: bool = False
    joined: bool = False


@dataclass(frozen=True)
class Alphabet:
    """The tiles of a language's game, in sorting order: tile number n is ``tiles[n - 1]``.

    ``typed`` maps further texts to the tiles each stands for; ``source`` names the tile set's origin; ``blanks`` is their number.
    """

    id: str
    name: str
    source: str
    tiles: tuple[Tile, ...]
    typed: Mapping[str, tuple[str, ...]] = field(hash=False)
    blanks: int
    coded: Mapping[str, str] = field(hash=False, default_factory=lambda: MappingProxyType({}))
    """Characters that some lists write for tiles, by which ``--coded`` reads them; other lists and players never mean these tiles by them."""

    @functools.cached_property
    def spelling(self) -> Spelling:
        """How these tiles spell texts."""
        numbers = {tile.text: number for number, tile in enumerate(self.tiles, 1)}
        typed = {text: bytes(numbers[tile] for tile in stands_for) for text, stands_for in self.typed.items()}
        always = (numbers[tile.text] for tile in self.tiles if tile.always)
        joined = (numbers[tile.text] for tile in self.tiles if tile.joined)
        return Spelling(tuple(numbers), typed, always, joined)


def load_alphabet(id_or_path: str) -> Alphabet:
    """Return a shipped alphabet by id, or one from a file by path (it ends in ``.toml`` or contains a folder); raises ``BadAlphabet`` or ``Unreadable``."""
    if _is_path(id_or_path):
        return _alphabet(id_or_path, read_written(id_or_path, "an alphabet's file", Unreadable))
    return _shipped(id_or_path)


@functools.cache
def alphabets() -> tuple[str, ...]:
    """Return the ids of the shipped alphabets, sorted."""
    names = (file.name for file in (Path(__file__).parent / "alphabets").iterdir())
    return tuple(sorted(name.removesuffix(_SUFFIX) for name in names if name.endswith(_SUFFIX)))


def _is_path(id_or_path: str) -> bool:
    return id_or_path.endswith(_SUFFIX) or any(separator in id_or_path for separator in {os.sep, os.altsep or os.sep})


@functools.cache
def _shipped(alphabet_id: str) -> Alphabet:
    # Imported here and below: importing pydantic takes longer than opening a lexicon.
    from lexicon.alphabet_schema import nearest, shown  # noqa: PLC0415 - see above

    if alphabet_id not in alphabets():
        raise BadAlphabet(
            expected=Phrase("an alphabet ({known}) or the path of a {suffix} file", known=", ".join(alphabets()), suffix=_SUFFIX),
            found=shown(alphabet_id),
            remedy=nearest(alphabet_id, alphabets()),
        )
    file = f"{alphabet_id}{_SUFFIX}"
    return _alphabet(file, (Path(__file__).parent / "alphabets" / file).read_bytes())


def _alphabet(file: str, content: bytes) -> Alphabet:
    from lexicon.alphabet_schema import checked  # noqa: PLC0415 - see above

    source = checked(file, toml_in(file, content, BadAlphabet))
    return Alphabet(
        id=source.id,
        name=source.name,
        source=source.source,
        tiles=tuple(Tile(each.tile, each.score, each.count, each.always, each.joined) for each in source.tiles),
        typed=MappingProxyType({text: tuple(tiles) for text, tiles in source.typed.items()}),
        blanks=source.blanks,
        coded=MappingProxyType(source.coded),
    )
