"""From files to an event: all of them, or every problem that they have. Those on this machine are refused by their size before they are read."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Final

from faults.errors import reason
from hall.event.model import BYE, Event
from hall.event.newt import read_newt
from hall.event.parsing import MAX, MAX_BYTES, Problem, Problems, TooManyProblems, UnreadableEvent, text_of
from hall.event.tables_csv import is_pairings, read_csv
from hall.event.tsh import read_config, read_division, read_naspa

_KINDS: Final = "config.tsh, *.t, *.js, *.csv or *.txt"


def read_event(files: Mapping[str, bytes], known: Event | None = None) -> Event:
    """Return ``known`` with what ``files`` have.

    Args:
        files: the contents by name; the name's ending says the format. A ``.t`` file that a ``config.tsh`` names is read once.
        known: the event so far; None: none yet.

    Raises:
        UnreadableEvent: it has every problem of every file; nothing is half-imported.
    """
    reading = _Reading(files, known or Event())
    for name in sorted(reading.texts, key=reading.turn):
        reading.read(name)
    if reading.problems:
        raise UnreadableEvent(reading.problems)
    if problems := list(_conflicts(reading.event)):
        raise UnreadableEvent(problems)
    return reading.event


class _Reading:
    def __init__(self, files: Mapping[str, bytes], known: Event) -> None:
        self.event = known
        self.problems: list[Problem] = []
        self.texts: dict[str, str] = {}
        self._named: set[str] = set()
        for name, content in files.items():
            try:
                self.texts[name] = text_of(name, content)
            except UnreadableEvent as error:
                self.problems.extend(error.problems)

    def turn(self, name: str) -> tuple[int, str]:
        """Return the order of reading: a configuration before the files that it names, players before pairings."""
        if name.endswith(".tsh"):
            return 0, name
        late = name.lower().endswith(".csv") and is_pairings(self.texts[name])
        return (2 if late else 1), name

    def read(self, name: str) -> None:
        """Read one file."""
        problems = Problems(name)
        try:
            part = self._part(name, self.texts[name], problems)
        except TooManyProblems:
            part = Event()
        self.problems.extend(problems.found)
        # Also with problems: what names its players is then judged by those that it has.
        self.event = self.event.updated(part)

    def _part(self, name: str, text: str, problems: Problems) -> Event:
        ending = PurePosixPath(name).suffix.lower()
        if ending == ".tsh":
            return read_config(name, text, self._division(name), problems)
        if ending == ".t":
            return Event() if name in self._named else read_division(PurePosixPath(name).stem.upper()[:20], text, problems)
        if ending == ".js":
            return read_newt(text, problems)
        if ending == ".csv":
            return read_csv(text, self.event, problems)
        if ending == ".txt":
            return read_naspa(text, problems)
        problems.add(0, _KINDS, "another ending")
        return Event()

    def _division(self, config: str) -> Callable[[str], tuple[str, str] | None]:
        def find(said: str) -> tuple[str, str] | None:
            name = str(PurePosixPath(config).parent / said)
            if name not in self.texts:
                return None
            self._named.add(name)
            return name, self.texts[name]

        return find


def _conflicts(event: Event) -> list[Problem]:
    """Return what the files contradict each other in."""
    found = []
    at_table: dict[tuple[int, int], list[str]] = defaultdict(list)
    for pairing in event.pairings:
        found += [
            _contradiction(f"a player {number} in division {pairing.division}", f"none, but a pairing of round {pairing.round}")
            for number in sorted({pairing.first, pairing.second} - {BYE})
            if (pairing.division, number) not in event.by_number
        ]
        table = event.table_of(pairing)
        if table is not None and pairing.second != BYE:
            at_table[pairing.round, table].append(f"{pairing.division} {pairing.first}-{pairing.second}")
    found += [
        _contradiction(f"one pairing at table {table} in round {number}", ", ".join(pairs[:5]))
        for (number, table), pairs in sorted(at_table.items())
        if len(pairs) > 1
    ]
    return found[:MAX]


def _contradiction(expected: str, found: str) -> Problem:
    return Problem("the event", 0, expected, found)


_DIVISION: Final = re.compile(rb"^\s*division\s+\S+\s+(\S+)\s*$", re.MULTILINE)
_MAX_DIVISIONS: Final = 100


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
                found[str(path)] = file.read(MAX_BYTES + 1)
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
        names = _DIVISION.findall(file.read(MAX_BYTES))
    for name in dict.fromkeys(names[:_MAX_DIVISIONS]):
        found = path.parent / name.decode("iso-8859-1")
        if found.parent == path.parent and found.is_file():
            yield found
