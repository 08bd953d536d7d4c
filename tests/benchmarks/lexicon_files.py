"""The contestants' files, made of the same words, and the folder in which their libraries lie side by side."""

from __future__ import annotations

import ctypes
import importlib
import importlib.util
import mmap
import os
import sqlite3
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from lexicon.alphabet import load_alphabet
from lexicon.build import Label, build
from tests.benchmarks.lexicon_trial import CONTESTANTS

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
    """Return how a library's own class makes its file."""
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
    return pages_in_memory(path) == 0


def pages_in_memory(path: Path) -> int:
    """Return how many pages of the file are in memory, whoever has read them."""
    size = path.stat().st_size
    pages = (ctypes.c_ubyte * -(-size // mmap.PAGESIZE))()
    with path.open("rb") as file, mmap.mmap(file.fileno(), size, access=mmap.ACCESS_COPY) as mapped:
        start = ctypes.c_ubyte.from_buffer(mapped)
        failed = LIBC.mincore(ctypes.c_void_p(ctypes.addressof(start)), ctypes.c_size_t(size), pages)
        del start  # or the mapping could not be closed
    assert not failed, os.strerror(ctypes.get_errno())
    return sum(page & 1 for page in pages)
