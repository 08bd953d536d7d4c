"""Words into order, each once, without holding them all: sorted in runs, which wait in a temporary file each, and merged.

A list of any size is built in the memory of one run and of its graph.
"""

from __future__ import annotations

import heapq
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from typing import BinaryIO, cast

from lexicon.errors import Unwritable, reason

RUN = 300_000
"""Words sorted at a time: a usual tournament list in one, and about 20 MB."""

_END = b"\0"
"""After each word in a waiting run: no tile has this number."""

_PIECE = 1 << 16


class InOrder:
    """The distinct words of ``words`` in order; to be gone through once.

    Args:
        words: tile numbers, none empty.
        folder: where runs wait if there is more than one.
        run: words a run.
    """

    def __init__(self, words: Iterable[bytes], folder: Path, run: int = RUN) -> None:
        self._words, self._folder, self._run = words, folder, run
        self.duplicates = 0
        """Words that came again; all are counted when the last word was given."""

    def __iter__(self) -> Iterator[bytes]:
        """Yield the words.

        Raises:
            Unwritable: no room for the runs that must wait.
        """
        source = iter(self._words)
        with ExitStack() as waiting:
            runs: list[Iterable[bytes]] = []
            while len(run := sorted(islice(source, self._run))) == self._run:
                runs.append(_read(waiting.enter_context(self._kept(run))))
            last: bytes | None = None
            for word in heapq.merge(*runs, run) if runs else run:
                if word == last:
                    self.duplicates += 1
                else:
                    yield word
                last = word

    def _kept(self, run: list[bytes]) -> BinaryIO:
        """A file of the run's words, which vanishes when it is closed."""
        try:
            with ExitStack() as unless_whole:
                file = unless_whole.enter_context(tempfile.TemporaryFile(dir=self._folder))
                file.write(_END.join(run) + _END)
                file.flush()
                unless_whole.pop_all()
        except OSError as error:
            raise Unwritable(
                where=self._folder, expected="room for words that wait to be merged", found=reason(error), remedy="Make room"
            ) from error
        return cast(BinaryIO, file)


def _read(file: BinaryIO) -> Iterator[bytes]:
    file.seek(0)
    rest = b""
    while piece := file.read(_PIECE):
        *words, rest = (rest + piece).split(_END)
        yield from words
