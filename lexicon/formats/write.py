"""From a minimal graph to the files that another program reads. Every limit of a format is checked before there is a byte to write."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from lexicon.alphabet import Alphabet
from lexicon.dawg import Dawg
from lexicon.errors import BadName, BadText
from lexicon.formats import kwg, quackle, zyzzyva
from lexicon.formats.found import Format

WRITTEN = (Format.KWG, Format.ZYZZYVA, Format.QUACKLE)
"""Formats of other programs that are written."""


def files(to: Format, dawg: Dawg, alphabet: Alphabet, path: Path) -> Mapping[Path, bytes]:
    """Return what to write where so that ``path`` is a word file of the format ``to``: one file, or for Zyzzyva the three that belong together.

    Raises:
        BadText: there are no words.
        TooLarge: there are more words, nodes or letters than the format holds.
        BadAlphabet: it cannot hold the alphabet's tiles, or those that are used.
        BadName: for Zyzzyva, a name that says the words are reversed.
        ValueError: ``to`` is not written here.
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
