"""The files of an event on this machine: refused by their size before they are read."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from faults.errors import reason
from hall.event.problems import Problem, UnreadableEvent
from hall.event.text import MOST_BYTES

_DIVISION: Final = re.compile(rb"^\s*division\s+\S+\s+(\S+)\s*$", re.MULTILINE)
_MOST_DIVISIONS: Final = 100


def contents_of(paths: Sequence[Path]) -> dict[str, bytes]:
    """Return the contents by name; those of a ``config.tsh`` with the ``.t`` files that it names.

    Raises:
        UnreadableEvent: a file cannot be read, or is too large.
    """
    found: dict[str, bytes] = {}
    problems: list[Problem] = []
    for path in [each for given in paths for each in (given, *_divisions(given))]:
        try:
            # A pipe or a device has no size.
            with path.open("rb") as file:
                found[str(path)] = file.read(MOST_BYTES + 1)
        except OSError as error:
            problems.append(Problem(str(path), 0, "a readable file", reason(error)))
    if problems:
        raise UnreadableEvent(problems)
    return found


def _divisions(path: Path) -> Iterator[Path]:
    """Yield the files that a configuration names, as far as they lie beside it."""
    if path.suffix != ".tsh" or not path.is_file():
        return
    with path.open("rb") as file:
        names = _DIVISION.findall(file.read(MOST_BYTES))
    for name in dict.fromkeys(names[:_MOST_DIVISIONS]):
        found = path.parent / name.decode("iso-8859-1")
        if found.parent == path.parent and found.is_file():
            yield found
