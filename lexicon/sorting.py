"""Sorts and deduplicates words without holding all in memory: sorted runs in temporary files, then merged.

A list of any size is built in the memory of one run plus its graph.
"""

from __future__ import annotations

import heapq
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from typing import BinaryIO, cast

from faults.errors import reason
from lexicon.errors import Unwritable

RUN = 300_000
"""Words sorted at once: a whole tournament list, about 20 MB."""

_END = b"\0"
"""Separator in a stored run: no tile has this number."""

_PIECE = 1 << 16


class SortedWords:
    """The distinct words of ``words`` in order; can be iterated once.

    Args:
        words: tile numbers, none empty.
        folder: for the temporary files, if there is more than one run.
        run: words per run.
    """

    def __init__(self, words: Iterable[bytes], folder: Path, run: int = RUN) -> None:
        self._words, self._folder, self._run = words, folder, run
        self.duplicates = 0
        """The number of repetitions; complete after the last word."""

    def __iter__(self) -> Iterator[bytes]:
        """Yield the words.

        Raises:
            Unwritable: no room for the temporary files.
        """
        source = iter(self._words)
        with ExitStack() as waiting:
            runs: list[Iterable[bytes]] = []
            while len(run := sorted(islice(source, self._run))) == self._run:
                runs.append(_read(waiting.enter_context(self._stored_run(run))))
            last: bytes | None = None
            for word in heapq.merge(*runs, run) if runs else run:
                if word == last:
                    self.duplicates += 1
                else:
                    yield word
                last = word

    def _stored_run(self, run: list[bytes]) -> BinaryIO:
        """Store the run in a file that is deleted when closed."""
        try:
            with ExitStack() as unless_whole:
                file = unless_whole.enter_context(tempfile.TemporaryFile(dir=self._folder))
                file.write(_END.join(run) + _END)
                file.flush()
                unless_whole.pop_all()
        except OSError as error:
            raise Unwritable(where=self._folder, expected="room for temporary files", found=reason(error), remedy="Make room") from error
        return cast(BinaryIO, file)


def _read(file: BinaryIO) -> Iterator[bytes]:
    file.seek(0)
    rest = b""
    while piece := file.read(_PIECE):
        *words, rest = (rest + piece).split(_END)
        yield from words
