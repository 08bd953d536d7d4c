"""Encodes a minimal graph as another program's files. All limits of the format are checked before anything is written."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from lexicon.alphabet import Alphabet
from lexicon.dawg import Dawg
from lexicon.errors import BadName, BadText
from lexicon.formats import kwg, quackle, zyzzyva
from lexicon.formats.found import Format

WRITTEN = (Format.KWG, Format.ZYZZYVA, Format.QUACKLE)
"""The formats of other programs that can be written."""


def files(to: Format, dawg: Dawg, alphabet: Alphabet, path: Path) -> Mapping[Path, bytes]:
    """Return the files to write, by path, for the format ``to``: one file ``path``, or the three of Zyzzyva.

    Raises:
        BadText: there are no words.
        TooLarge: too many words, nodes or letters for the format.
        BadAlphabet: the format cannot represent the alphabet's tiles.
        BadName: for Zyzzyva, a name that means reversed words.
        ValueError: ``to`` cannot be written.
    """
    if not dawg.words:
        raise BadText(expected="words", found="none", remedy="Give a list of at least one word")
    match to:
        case Format.KWG:
            return {path: kwg.write(dawg)}
        case Format.QUACKLE:
            return {path: quackle.write(dawg, alphabet)}
        case Format.ZYZZYVA:
            return _three(zyzzyva.write(dawg, alphabet), path)
        case _:
            raise ValueError(f"expected {', '.join(each.value for each in WRITTEN)}, found {to.value}")


def _three(made: zyzzyva.ZyzzyvaFiles, path: Path) -> Mapping[Path, bytes]:
    if path.stem.lower().endswith("-r"):
        raise BadName(
            where=path, expected="a name without -R, which marks Zyzzyva's reversed lists", found=path.stem, remedy="Choose another"
        )
    beside = {f"{path.stem}-R{path.suffix}": made.reversed_dwg, f"{path.stem}-Checksums.txt": made.checksums}
    return {path: made.dwg, **{path.with_name(name): data for name, data in beside.items()}}
