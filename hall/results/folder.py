"""A folder with the results for another program: each file is written whole, and only when it changes.

Or TSH's own way in while it runs: with ``config accept_remote_commands = 1`` it takes commands from numbered files of the folder ``remote_queue``. It takes ``aps``
(add provisional score) only. Both players' scores make a result; a player's next round only. It reads file after file and deletes each; a number that is missing, or
a file that is empty or not whole, stops it for good. So a file appears whole, under the next number, while the lock that TSH's own writers take is held.
"""

import fcntl
import os
import re
import stat
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import date
from pathlib import Path
from typing import Final

from msgspec import Struct

from appliance.records.files import write_whole
from faults.errors import Phrase, as_phrase, in_a_row
from hall.errors import ResultsError, explained
from hall.event.model import BYE, Event
from hall.event.parsing import Spot, UnreadableEvent, found_as, text_of, tsh_division
from hall.event.reading import contents_of, lost, read_event
from hall.event.tsh import divisions_of, encodings_of
from hall.results.book import Applied
from hall.results.standings import Caps, coco_csv, results_csv, standings, standings_csv
from hall.results.tsh import NO_GAMES, Game, cards_of, division_text, naspa_text, newt_text, tou_text

FOLDER: Final = "remote_queue"
_NEXT, _TAKEN, _WAKE, _SENT = "_enqueue.txt", "_dequeue.txt", "_fifo.txt", "_tilehall.txt"
"""The number of the next file to write, and to read; the pipe that wakes TSH; and what this program has put into the queue."""
_SHARED: Final = 0o664


_FORFEIT: Final = as_phrase("Division {division}, round {round}: player {player} has a forfeit ({score}). Enter it at TSH as a bye.")
_BYE_BY_HAND: Final = as_phrase("Division {division}, round {round}: player {player} has a bye ({score}). Enter it at TSH.")


def commands(results: Applied, known: Event) -> tuple[list[str], list[Phrase]]:
    """Return the command of each scored game, for its first player, in the order in which TSH takes them; and in sentences what must be entered at TSH.

    ``known``: what TSH's own files have.
    """
    found: list[tuple[int, str]] = []
    by_hand: list[Phrase] = []
    for division in sorted(results.event.divisions):
        name = tsh_division(division)
        cards, has = cards_of(results.event, division), cards_of(known, division)
        # TSH takes a player's rounds one after the other, and refuses the others for good.
        ends = {number: _first_missing(card, has.get(number)) for number, card in cards.items()}
        for number, card in cards.items():
            last = max((each.round for each in card.values() if each.is_scored), default=0)
            for game in (card[each] for each in sorted(card)):
                if game.opponent == BYE:
                    theirs = has.get(number, NO_GAMES).get(game.round)
                    waits = game.round == ends[number] < last
                    if waits or (game.is_scored and (theirs is None or theirs.score != game.score)):
                        is_forfeit = (division, game.round, number) in results.forfeits
                        values: dict[str, object] = {"division": division, "round": game.round, "player": number}
                        values["score"] = game.score if game.is_scored else Phrase("no score")
                        by_hand.append(Phrase((_FORFEIT if is_forfeit else _BYE_BY_HAND).template, **values))
                        if waits:
                            by_hand[-1] = in_a_row(by_hand[-1], Phrase("Later results of this player wait for it."))
                elif game.is_scored and number < game.opponent and game.round < min(ends[number], ends[game.opponent]):
                    found.append((game.round, f"aps {number} {game.opponent} {game.score} {game.other} {game.round} {name}"))
    return [each for _, each in sorted(found, key=lambda each: each[0])], by_hand


def _first_missing(card: Mapping[int, Game], theirs: Mapping[int, Game] | None) -> int:
    """Return a player's first round whose score TSH neither has nor can be sent.

    ``theirs``: the rounds in TSH's files; None: they cannot be read, and may have the player's byes and rounds that the hall does not know.
    """

    def is_missing(number: int) -> bool:
        own, other = card.get(number), (theirs or NO_GAMES).get(number)
        sent = theirs is None if own is None or own.opponent == BYE else own.is_scored
        return not sent and (other is None or other.score is None)

    last = max(card, default=0)
    return next((each for each in range(1, last + 1) if is_missing(each)), last + 1)


def queue_results(folder: Path, results: Applied, known: Event) -> list[Phrase]:
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
                by_hand.append(_differs(before, ":".join(_words(each)[2:4])))
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
    number = max(int(found[0]) if (found := re.match(r"[1-9][0-9]{0,14}", each)) else 1 for each in said)
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
    """Wake TSH, which otherwise looks once a minute. Without a reader nothing happens."""
    with suppress(OSError):
        descriptor = os.open(pipe, os.O_WRONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            if stat.S_ISFIFO(os.fstat(descriptor).st_mode):
                os.write(descriptor, b"\n")
        finally:
            os.close(descriptor)


def _words(command: str) -> Sequence[str]:
    found = re.fullmatch(r"aps (\d+) (\d+) (-?\d+) (-?\d+) (\d+) (\w*)", command)
    return found.groups() if found else ("", "", "", "", "", command)


def _game(command: str) -> tuple[str, ...]:
    one, two, _, _, number, division = _words(command)
    return division, number, one, two


def _turned(command: str) -> str:
    one, two, own, other, number, division = _words(command)
    return f"aps {two} {one} {other} {own} {number} {division}"


def _differs(command: str, ours: str) -> Phrase:
    one, two, own, other, number, division = _words(command)
    return Phrase(
        "Division {division}, round {round}: TSH has {theirs} for players {one} and {two}; the hall has {ours}. Correct it at TSH.",
        division=division,
        round=number,
        theirs=f"{own}:{other}",
        one=one,
        two=two,
        ours=ours,
    )


_CONFIG: Final = "config.tsh"


class About(Struct, frozen=True):
    """What files say that no result does."""

    title: str
    day: date
    caps: Caps = Caps()
    encoding: str = ""
    """Of ``.t`` files, as Python names it; empty: what ``config.tsh`` in the folder says, else ISO 8859-1 where all names fit, and UTF-8."""
    replaces: bool = False
    """A ``.t`` file that has something else than the hall is replaced."""


FORMATS: Final[Mapping[str, Callable[[Applied, About], dict[str, str]]]] = {
    "csv": lambda results, _about: {"results.csv": results_csv(results.event)},
    "coco": lambda results, _about: {
        f"results-{tsh_division(each).lower()}.csv": coco_csv(results.event, each) for each in sorted(results.event.divisions)
    },
    "standings": lambda results, about: {"standings.csv": standings_csv(standings(results, about.caps))},
    "naspa": lambda results, _about: {"naspa.txt": naspa_text(results.event)},
    "tourney": lambda results, about: {"tourney.js": newt_text(results.event, about.caps.spread, about.caps.standings)},
    "tou": lambda results, about: {"results.tou": tou_text(results, about.title, about.day, woogles=False)},
    "tou-woogles": lambda results, about: {"results.tou": tou_text(results, about.title, about.day, woogles=True)},
}
KINDS: Final = ("tsh", "tsh-queue", *FORMATS)


def write_results(folder: Path, kind: str, results: Applied, about: About) -> list[Phrase]:
    """Write the results into ``folder`` in a format of ``KINDS``; return what was written and what is left to do, in sentences.

    Raises ``ResultsError`` where the format, or what is in the folder, does not allow it.
    """
    with explained(ResultsError, "a folder to write to", where=folder):
        if kind == "tsh-queue":
            return queue_results(folder / FOLDER, results, _of_tsh(folder))
        files = (
            _division_files(folder, results, about)
            if kind == "tsh"
            else {name: text.encode() for name, text in FORMATS[kind](results, about).items()}
        )
        changed = [name for name, content in files.items() if not ((folder / name).is_file() and (folder / name).read_bytes() == content)]
        for name in changed:
            write_whole(folder / name, files[name], 0o644)
    written = [Phrase("Written: {files}.", files=", ".join(changed))] if changed else []
    # Their readers know a player by nothing else.
    return [*written, *(_namesakes(results.event) if kind in ("coco", "tou", "tou-woogles") else [])]


def _namesakes(event: Event) -> Iterator[Phrase]:
    """Yield the players that a file of names alone does not tell apart."""
    numbers: dict[tuple[str, str], list[str]] = defaultdict(list)
    for each in event.players:
        numbers[each.division, each.name].append(str(each.number))
    for (division, name), several in numbers.items():
        if len(several) > 1:
            yield Phrase(
                "Division {division}: players {players} have the name {name}. This format does not tell them apart.",
                division=division,
                players=", ".join(several),
                name=name,
            )


def _of_tsh(folder: Path) -> Event:
    try:
        return read_event(contents_of([folder / _CONFIG]))
    except UnreadableEvent:
        return Event()


def _division_files(folder: Path, results: Applied, about: About) -> dict[str, bytes]:
    _refuse_running(folder)
    config = text_of(_CONFIG, (folder / _CONFIG).read_bytes()) if (folder / _CONFIG).is_file() else ""
    named, encoding = dict(divisions_of(config)), about.encoding or encodings_of(config, Spot(_CONFIG))[1]
    found: dict[str, bytes] = {}
    for division in sorted(results.event.divisions):
        name = _within(folder, named.get(tsh_division(division), f"{tsh_division(division).lower()}.t"))
        if not about.replaces:
            _refuse_other(folder / name, division, results)
        found[name] = _encoded(division_text(results.event, division), encoding, name)
    return found


def _within(folder: Path, said: str) -> str:
    """Return the name of a division's file, as it is in the folder; never one elsewhere."""
    name = Path(said.replace("\\", "/")).name
    return found_as(name, {each.name: each for each in folder.iterdir()}) or name


def _refuse_running(folder: Path) -> None:
    """Raise ``ResultsError`` while TSH runs on this machine: it keeps its files in memory, and writes them again."""
    signal = folder / FOLDER / "_signal.txt"
    said = signal.read_text(errors="replace").strip() if signal.is_file() else ""
    if said.isascii() and said.isdigit() and Path(f"/proc/{said}").exists():
        raise ResultsError(
            where=folder,
            expected="that TSH does not run while its files are written",
            found=Phrase("that it does (process {process})", process=said),
            remedy="Leave TSH first, or write with --as tsh-queue",
        )


def _refuse_other(path: Path, division: str, results: Applied) -> None:
    """Raise ``ResultsError`` where a file has pairings or scores that would go."""
    if not path.is_file():
        return
    try:
        theirs = read_event({f"{division}.t": path.read_bytes()})
        gone = lost(theirs, results.event)
    except UnreadableEvent as error:
        gone = [error.sentences]
    if gone:
        raise ResultsError(
            where=path,
            expected="nothing that the hall does not know",
            found=Phrase('"{said}"', said=gone[0]),
            remedy="Import it first; or replace it, with --replace",
        )


def _encoded(text: str, encoding: str, name: str) -> bytes:
    try:
        return text.encode(encoding or "iso-8859-1")
    except UnicodeEncodeError as error:
        if not encoding:
            return text.encode()
        raise ResultsError(
            where=name,
            expected=Phrase("names in {encoding}", encoding=encoding),
            found=f'"{error.object[error.start]}"',
            remedy="Write config tfile_encoding = 'utf8' into config.tsh",
        ) from error
