"""TSH's own way in while it runs: with ``config accept_remote_commands = 1`` it takes commands from numbered files of the folder ``remote_queue``.

TSH takes ``aps`` (add provisional score) only. Both players' scores make a result; a player's next round only. It reads file after file and deletes each; a number that is
missing, or a file that is empty or not whole, stops it for good. So a file appears whole, under the next number, while the lock that TSH's own writers take is held.
"""

from __future__ import annotations

import fcntl
import os
import re
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from appliance.records.files import write_whole
from hall.errors import ResultsError
from hall.event.model import BYE, Event
from hall.event.parsing import tsh_division
from hall.results.book import Applied
from hall.results.tsh import NO_GAMES, cards_of

FOLDER: Final = "remote_queue"
_NEXT, _TAKEN, _WAKE, _SENT = "_enqueue.txt", "_dequeue.txt", "_fifo.txt", "_tilehall.txt"
"""The number of the next file to write, and to read; the pipe that wakes TSH; and what this program has put into the queue."""
_SHARED: Final = 0o664
_NUMBER: Final = re.compile(r"[1-9][0-9]{0,14}")
_LINE: Final = re.compile(r"aps (\d+) (\d+) (-?\d+) (-?\d+) (\d+) (\w*)")


def commands(results: Applied, known: Event) -> tuple[list[str], list[str]]:
    """Return the command of each scored game, for its first player, in the order in which TSH takes them; and in sentences what must be entered at TSH.

    ``known``: what TSH's own files have.
    """
    found: list[tuple[int, str]] = []
    by_hand: list[str] = []
    for division in sorted(results.event.divisions):
        name = tsh_division(division)
        has = cards_of(known, division)
        for number, card in cards_of(results.event, division).items():
            for game in (card[each] for each in sorted(card)):
                if game.opponent == BYE:
                    theirs = has.get(number, NO_GAMES).get(game.round)
                    if game.is_scored and (theirs is None or theirs.score != game.score):
                        what = "forfeit" if (division, game.round, number) in results.forfeits else "bye"
                        by_hand.append(
                            f"Division {division}, round {game.round}: player {number} has a {what}, {game.score}: enter it at TSH as a bye."
                        )
                    continue
                if not game.is_scored:
                    # TSH takes a player's rounds one after the other.
                    break
                if number < game.opponent:
                    found.append((game.round, f"aps {number} {game.opponent} {game.score} {game.other} {game.round} {name}"))
    return [each for _, each in sorted(found, key=lambda each: each[0])], by_hand


def queue_results(folder: Path, results: Applied, known: Event) -> list[str]:
    """Put the results into the queue in ``folder`` that TSH has not had; return what must be entered or corrected at TSH itself, in sentences.

    ``known``: what TSH's own files have.

    Raises ``ResultsError`` where there is no folder, ``OSError`` where it cannot be written. Killed in between it may send a result again, which TSH refuses.
    """
    if not folder.is_dir():
        raise ResultsError(
            where=folder,
            expected="TSH's folder of commands",
            found="none",
            remedy="Write 'config accept_remote_commands = 1' into config.tsh, and start TSH once: it makes the folder",
        )
    wanted, by_hand = commands(results, known)
    with _locked(folder) as lock:
        sent = _read(folder / _SENT).splitlines()
        games = {_game(each): each for each in [*sent, *commands(Applied(known), known)[0]]}
        for each in wanted:
            before = games.get(_game(each))
            if before is None:
                number = _next(folder, lock)
                for offset, line in enumerate((each, _turned(each))):
                    write_whole(folder / f"{number + offset}.txt", f"{line}\n".encode(), _SHARED)
                _put(lock, number + 2)
                sent.append(each)
                write_whole(folder / _SENT, "".join(f"{line}\n" for line in sent).encode(), _SHARED)
            elif before != each:
                by_hand.append(f"TSH has {_said(before)}; the hall has {':'.join(_words(each)[2:4])}: correct it at TSH.")
    _wake(folder / _WAKE)
    return by_hand


@contextmanager
def _locked(folder: Path) -> Iterator[int]:
    """Hold the lock that TSH's own writers take, so that two never use one number."""
    descriptor = os.open(folder / _NEXT, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, _SHARED)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield descriptor
    finally:
        os.close(descriptor)


def _next(folder: Path, lock: int) -> int:
    """Return the number of the next file: never one that is there, nor one that TSH has read."""
    said = (os.pread(lock, 100, 0).decode(errors="replace"), _read(folder / _TAKEN))
    number = max(int(found[0]) if (found := _NUMBER.match(each)) else 1 for each in said)
    while (folder / f"{number}.txt").exists():
        number += 1
    return number


def _put(lock: int, number: int) -> None:
    content = f"{number}\n".encode()
    os.pwrite(lock, content, 0)
    os.ftruncate(lock, len(content))
    os.fsync(lock)


def _read(path: Path) -> str:
    return path.read_text(errors="replace") if path.exists() else ""


def _wake(pipe: Path) -> None:
    """Wake TSH, which else looks every minute. Without a reader nothing happens."""
    with suppress(OSError):
        descriptor = os.open(pipe, os.O_WRONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            if stat.S_ISFIFO(os.fstat(descriptor).st_mode):
                os.write(descriptor, b"\n")
        finally:
            os.close(descriptor)


def _words(command: str) -> Sequence[str]:
    found = _LINE.fullmatch(command)
    return found.groups() if found else ("", "", "", "", "", command)


def _game(command: str) -> tuple[str, ...]:
    one, two, _, _, number, division = _words(command)
    return division, number, one, two


def _turned(command: str) -> str:
    one, two, own, other, number, division = _words(command)
    return f"aps {two} {one} {other} {own} {number} {division}"


def _said(command: str) -> str:
    one, two, own, other, number, division = _words(command)
    return f"{own}:{other} of players {one} and {two} in round {number} of division {division}"
