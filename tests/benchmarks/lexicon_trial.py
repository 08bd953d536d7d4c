"""One contestant in a process of its own: ``python -I -S lexicon_trial.py FOLDER NAME TASK FILE WORDS``; prints whole numbers on one line.

FOLDER is where the libraries lie, FILE the contestant's, WORDS a text file of the words to be asked for. Nothing is imported here that a library
might import itself: what it needs is counted as its own. Even ``__future__`` and ``typing`` would be a present to those that use them.
"""

import os  # noqa: F401 - what Python's start-up without -S would have loaded
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Container
    from typing import Any

ROUNDS = 9


class Table:
    def __init__(self, sqlite3: "Any", path: str) -> None:
        self._execute = sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True).execute

    def __contains__(self, word: object) -> bool:
        return self._execute("SELECT 1 FROM words WHERE word = ?", (word,)).fetchone() is not None


def words_of(path: str) -> list[str]:
    with open(path, encoding="utf-8") as text:  # noqa: PTH123 - pathlib would be loaded, and libraries load it too
        return text.read().split()


CONTESTANTS: "dict[str, tuple[str, Callable[[Any, str], Container[str]]]]" = {
    "lexicon": ("lexicon", lambda lexicon, path: lexicon.Lexicon.open(path)),
    "marisa-trie, mmap": ("marisa_trie", lambda marisa_trie, path: marisa_trie.Trie().mmap(path)),
    "dawg2": ("dawg", lambda dawg, path: dawg.DAWG().load(path)),
    "DAWG-Python": ("dawg_python", lambda dawg_python, path: dawg_python.DAWG().load(path)),
    "sqlite3": ("sqlite3", Table),
    "frozenset": ("builtins", lambda _, path: frozenset(words_of(path))),
}
"""Of each the module it is in, and how a file is opened with it. What is opened answers ``word in opened``."""


def verdict(name: str, path: str, words: list[str]) -> list[int]:
    """Open the file and judge one play: ns from before the import, ns from after it, and how many of the words were found."""
    module, start = CONTESTANTS[name]
    begun = time.perf_counter_ns()
    library = __import__(module)
    imported = time.perf_counter_ns()
    opened = start(library, path)
    found = [word in opened for word in words]
    judged = time.perf_counter_ns()
    return [judged - begun, judged - imported, sum(found)]


def lookups(name: str, path: str, words: list[str]) -> list[int]:
    """Look up all of the words several times over: ns that the fastest time took, and how many of the words were found."""
    module, start = CONTESTANTS[name]
    opened = start(__import__(module), path)
    found = sum([word in opened for word in words])
    took = []
    for _ in range(ROUNDS):
        begun = time.perf_counter_ns()
        for word in words:
            word in opened  # noqa: B015 - what is timed is the question
        took.append(time.perf_counter_ns() - begun)
    return [min(took), found]


def memory(name: str, path: str, words: list[str]) -> list[int]:
    """Open the file and look the words up once.

    Returns:
        KiB by which the memory of this process alone grew, by two of the kernel's counts (Anonymous, Private_Dirty), the import not counted;
        KiB of the file that are mapped and resident; how many of the words were found.
    """
    module, start = CONTESTANTS[name]
    library = __import__(module)
    own_memory()  # what the counting itself takes does not count
    before = own_memory()
    opened = start(library, path)
    found = sum([word in opened for word in words])
    after = own_memory()
    return [after[0] - before[0], after[1] - before[1], resident(path), found]


def own_memory() -> tuple[int, int]:
    """Return how many KiB are anonymous, and how many private and written to."""
    lines = procfile("smaps_rollup")
    return counted(lines, b"Anonymous:"), counted(lines, b"Private_Dirty:")


def resident(path: str) -> int:
    """Return how many KiB of the file at ``path`` are resident in its mappings."""
    held, within = 0, False
    for line in procfile("smaps"):
        if b"-" in line.split(maxsplit=1)[0]:
            within = line.endswith(path.encode())
        elif within and line.startswith(b"Rss:"):
            held += int(line.split()[1])
    return held


def counted(lines: list[bytes], what: bytes) -> int:
    return next(int(line.split()[1]) for line in lines if line.startswith(what))


def procfile(name: str) -> list[bytes]:
    with open(f"/proc/self/{name}", "rb") as file:  # noqa: PTH123 - as above
        return file.read().splitlines()


if __name__ == "__main__":
    folder, name, task, path, asked = sys.argv[1:]
    sys.path.append(folder)
    measured = {"verdict": verdict, "lookups": lookups, "memory": memory}[task](name, path, words_of(asked))
    sys.stdout.write(" ".join(map(str, measured)))
