"""A loader to watch a file for the test: by its own thread, or look by look."""

from __future__ import annotations

import queue
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from kiosk.lexicons.loading import ANYTHING, Loaded, expected
from kiosk.lexicons.watching import Fetched, LexiconLoader

PATIENCE_S = 20


@contextmanager
def watched(path: Path, alphabet: str | None = None) -> Iterator[tuple[LexiconLoader, queue.SimpleQueue[Fetched]]]:
    heard: queue.SimpleQueue[Fetched] = queue.SimpleQueue()
    wanted = ANYTHING if alphabet is None else expected(alphabet, None)
    with LexiconLoader(path, wanted, heard.put, look_s=0.01) as loader:
        yield loader, heard
    assert heard.empty()


def still(path: Path) -> tuple[LexiconLoader, list[Fetched]]:
    """A loader whose thread is not started: the looks are the test's. What it hands over is put into the list."""
    heard: list[Fetched] = []
    return LexiconLoader(path, ANYTHING, heard.append), heard


def names(heard: list[Fetched]) -> list[str]:
    return [each.found.name.name for each in heard if isinstance(each.found, Loaded)]
