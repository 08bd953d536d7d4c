"""The files of other programs, what words are in them, and how the tests read a file."""

from __future__ import annotations

import re
from pathlib import Path

from lexicon.alphabet import Alphabet, load_alphabet
from lexicon.formats.files import ReadWords, open_word_file, read
from lexicon.formats.siblings import Format

FILES = Path(__file__).with_name("files")

OF_SUFFIX = {".kwg": Format.KWG, ".dwg": Format.ZYZZYVA, ".v1.dawg": Format.QUACKLE, ".v0.dawg": Format.QUACKLE0}


def format_of(name: str) -> Format:
    """The format that a file of another program's was made in."""
    return next(found for suffix, found in OF_SUFFIX.items() if name.endswith(suffix))


READABLE = sorted(path.name for path in FILES.iterdir() if path.name.endswith(tuple(OF_SUFFIX)) and not path.name.endswith("-R.dwg"))
"""Names of all files that hold words, and not in reverse."""


def alphabet_of(name: str) -> Alphabet:
    """The alphabet a file was made in."""
    return load_alphabet("english" if _list(name) in {"tiny", "mini"} else _list(name))


def words_of(name: str) -> list[bytes]:
    """The words that a file was made of, in order."""
    text = FILES / f"{_list(name)}.txt"
    return sorted(alphabet_of(name).spelling.codes(word) for word in text.read_text(encoding="utf-8").split())


def _list(name: str) -> str:
    """The name of the list that a file was made of: what comes before the first mark."""
    return re.split("[.-]", name, maxsplit=1)[0]


def read_file(path: Path, alphabet: Alphabet, said: Format | None = None) -> ReadWords:
    """Open and read at once."""
    return read(open_word_file(path, said), alphabet)
