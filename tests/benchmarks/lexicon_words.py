"""The words of the lexicon's benchmarks: a long list of English from Debian's SCOWL, or a made-up one where that cannot be fetched; and words that are none.

No part of it is kept: Debian's package is fetched for the run, by the same steps as for the practice lexicon.

The contestants' files are made of the same words, and a folder has their libraries side by side.
"""

import ctypes
import importlib
import importlib.util
import itertools
import mmap
import os
import random
import re
import sqlite3
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from string import ascii_lowercase

from lexicon.alphabet import load_alphabet
from lexicon.build import Label, build
from tests.benchmarks.lexicon_trial import CONTESTANTS
from tools import practice as make

COUNT = 270_000
_SEED = 3
_PLAYABLE = re.compile(r"[a-z]{2,15}")
_FULL = 80
"""Up to this size SCOWL is taken whole; the largest, 95, fills up what is missing."""


def long_list(scratch: Path) -> tuple[list[str], str]:
    """Return ``COUNT`` words of 2 to 15 letters a to z, sorted, and what list it is."""
    try:
        unpacked = make._unpacked(make._fetched(scratch), scratch / "unpacked")
    except make.NoScowl:
        return made_up(), "made-up syllables, because SCOWL could not be fetched"
    files = sorted((unpacked / make._WORD_FILES).glob("*-words.*"))
    words = set(_playable(file for file in files if int(file.suffix[1:]) <= _FULL))
    more = sorted(set(_playable(file for file in files if int(file.suffix[1:]) > _FULL)) - words)
    return sorted([*words, *more[: COUNT - len(words)]]), f"SCOWL {make.VERSION} to size {_FULL}, filled up from size 95"


def made_up() -> list[str]:
    """Words of a few syllables and at times an ending: they share beginnings and ends as a language's words do."""
    chance = random.Random(_SEED)  # noqa: S311 - it has to be the same again
    onsets = sorted([*"bcdfghjlmnprstvw", "bl", "br", "ch", "dr", "gr", "pr", "qu", "st", "tr"])
    nuclei, codas = ["a", "e", "i", "o", "u", "ea", "ou"], ["", "", "n", "r", "st"]
    syllables = ["".join(parts) for parts in itertools.product(onsets, nuclei, codas)]
    words: set[str] = set()
    while len(words) < COUNT:
        stem = "".join(chance.choices(syllables, k=chance.randrange(1, 4)))
        words.update(word for ending in ("", "s", "ed", "ing", "er") if 2 <= len(word := stem + ending) <= 15)
    return sorted(words)[:COUNT]


def hits(words: list[str], count: int) -> list[str]:
    return random.Random(_SEED).sample(words, count)  # noqa: S311 - as above


def misses(words: list[str], count: int) -> list[str]:
    """Return texts that are no words, in no order: half of them words with one letter changed, half letters at random."""
    chance, known = random.Random(_SEED), frozenset(words)  # noqa: S311 - as above
    changed, random_ones = _changed(words, chance), _at_random(words, chance)
    both = (text for pair in zip(changed, random_ones, strict=False) for text in pair)
    return list(itertools.islice((text for text in both if text not in known), count))


def _changed(words: list[str], chance: random.Random) -> Iterator[str]:
    while True:
        word = chance.choice(words)
        at = chance.randrange(len(word))
        yield word[:at] + chance.choice(ascii_lowercase) + word[at + 1 :]


def _at_random(words: list[str], chance: random.Random) -> Iterator[str]:
    while True:
        yield "".join(chance.choices(ascii_lowercase, k=len(chance.choice(words))))


def _playable(files: Iterable[Path]) -> Iterator[str]:
    for file in files:
        yield from filter(_PLAYABLE.fullmatch, file.read_text(encoding="utf-8").split("\n"))


Words = Sequence[str]
LIBC = ctypes.CDLL(None, use_errno=True)


def lexicon_built(words: Words, path: Path) -> None:
    english = load_alphabet("english")
    build(map(english.spelling.codes, words), path, Label(english, "Benchmark"))


def table_built(words: Words, path: Path) -> None:
    connection = sqlite3.connect(path)
    with connection:
        connection.execute("CREATE TABLE words (word TEXT PRIMARY KEY) WITHOUT ROWID")
        connection.executemany("INSERT INTO words VALUES (?)", ((word,) for word in words))
    connection.execute("VACUUM")
    connection.close()


def text_written(words: Words, path: Path) -> None:
    path.write_text("".join(f"{word}\n" for word in words), encoding="utf-8")


def by_library(module: str, kind: str) -> Callable[[Words, Path], None]:
    return lambda words, path: getattr(importlib.import_module(module), kind)(words).save(str(path))


BUILDERS: dict[str, Callable[[Words, Path], None]] = {
    "lexicon": lexicon_built,
    "marisa-trie, mmap": by_library("marisa_trie", "Trie"),
    "dawg2": by_library("dawg", "DAWG"),
    "DAWG-Python": by_library("dawg", "DAWG"),  # it only reads, and what dawg2 writes
    "sqlite3": table_built,
    "frozenset": text_written,
}


def built(words: Words, folder: Path) -> tuple[dict[str, Path], list[str]]:
    """Make every contestant's file; return them, and the names of those whose library is not installed."""
    files, missing = {}, []
    for name, builder in BUILDERS.items():
        if importlib.util.find_spec(CONTESTANTS[name][0]) is None:
            missing.append(name)
            continue
        files[name] = folder / f"{name.replace(', ', '-')}.file"
        try:
            builder(words, files[name])
        except ModuleNotFoundError:
            del files[name]
            missing.append(name)
    return files, missing


def side_by_side(folder: Path) -> Path:
    """Fill a folder with links to the installed libraries: where each is found takes Python equally long, wherever it is installed."""
    for module, _ in CONTESTANTS.values():
        spec = importlib.util.find_spec(module)
        if spec and spec.origin and module not in sys.stdlib_module_names:
            found = Path(spec.origin)
            found = found.parent if found.name == "__init__.py" else found
            (folder / found.name).symlink_to(found)
    return folder


def made_cold(path: Path) -> bool:
    """Have the kernel forget what the file at ``path`` holds; tell whether none of it is in memory any more."""
    with path.open("rb") as file:
        os.fsync(file.fileno())
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
        size = path.stat().st_size
        pages = (ctypes.c_ubyte * -(-size // mmap.PAGESIZE))()
        with mmap.mmap(file.fileno(), size, access=mmap.ACCESS_COPY) as mapped:
            start = ctypes.c_ubyte.from_buffer(mapped)
            failed = LIBC.mincore(ctypes.c_void_p(ctypes.addressof(start)), ctypes.c_size_t(size), pages)
            del start  # or the mapping could not be closed
    assert not failed, os.strerror(ctypes.get_errno())
    return not any(page & 1 for page in pages)
