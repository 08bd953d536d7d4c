"""From files to an event: all of them, or every problem that they have. Those on this machine are refused by their size before they are read.

What files add to a known event is merged here: players are the same by division and number, pairings by round and players, tables by board. Pure.
"""

import dataclasses
import os
import zipfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from io import BytesIO
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import Final

from msgspec.structs import asdict, replace

from appliance.errors import counted
from faults.errors import Phrase, as_phrase, in_a_row, reason
from hall.event.model import BYE, Event, Pairing, Player
from hall.event.newt import read_newt
from hall.event.parsing import (
    MAX,
    MAX_BYTES,
    MAX_DIVISIONS,
    MAX_PAIRINGS,
    MAX_PLAYERS,
    Problem,
    Spot,
    UnreadableEvent,
    division_of,
    found_as,
    key_of,
    listed,
    quoted,
    text_in,
    text_of,
    visible,
)
from hall.event.table_files import kind_of, read_csv
from hall.event.tsh import TFile, divisions_of, encodings_of, is_archive, other_kind, read_config, read_division

_SHOWN: Final = 5


def merged(known: Event, part: Event, *, decides: bool = False) -> Event:
    """Return ``known`` with what ``part`` adds and corrects. What contradicts ``part`` goes; where it ``decides``, so does what it leaves out of a player or a pairing.

    Scores never go because the same pairing comes without them: programs that pair write the next draft of a round so.
    """
    moved = _moved(known, part)
    players = {key: each for key, each in known.by_number.items() if key not in moved}
    for player in part.players:
        key = player.division, player.number
        players[key] = player if decides else _filled(player, players.get(key))
    busy = {(each.division, each.round, number) for each in part.pairings for number in _players(each)}
    pairings = {
        _meeting(each): each
        for each in known.pairings
        if not any((each.division, each.round, number) in busy or (each.division, number) in moved for number in _players(each))
    }
    before = {_meeting(each): each for each in known.pairings}
    for each in part.pairings:
        pairings[_meeting(each)] = (_scored if decides else _completed)(each, before.get(_meeting(each)))
    tables = [each for each in part.tables if each.division in part.given or each.division not in known.given]
    said = {each.division for each in tables} - part.given
    boards = {(each.division, each.board): each for each in known.tables if each.division not in said}
    boards |= {(each.division, each.board): each for each in tables if each.table}
    return Event(
        tuple(sorted(players.values(), key=lambda each: (each.division, each.number))),
        tuple(sorted(pairings.values(), key=lambda each: (each.division, each.round, each.first))),
        tuple(boards.values()),
        part.floor or known.floor,
        known.given | part.given,
        known.passed + part.passed,
    )


def _named(player: Player) -> str:
    """Return what the spellings of one name have in common, with the family name first or last."""
    return " ".join(sorted(key_of(player.name.replace(",", " ")).split()))


def _moved(known: Event, part: Event) -> set[tuple[str, int]]:
    """Return the players, by division and number, who have another number in ``part``."""
    called: dict[tuple[str, str], set[str]] = defaultdict(set)
    for each in part.players:
        called[each.division, _named(each)].add(each.member)
    return {
        key
        for key, each in known.by_number.items()
        if (members := called.get((each.division, _named(each)))) and (not each.member or {each.member, ""} & members)
    } - set(part.by_number)


def _filled(player: Player, before: Player | None) -> Player:
    """Return a player with what a line before had of the same one, and this has not."""
    if before is None or _named(before) != _named(player):
        return player
    return replace(before, **{name: value for name, value in asdict(player).items() if value not in {None, ""}})


def _completed(pairing: Pairing, before: Pairing | None) -> Pairing:
    """Return a pairing with what is known of the same one, and this has not."""
    if before is None:
        return pairing
    if before.first != pairing.first and before.ordered and not pairing.ordered:
        pairing = _turned(pairing)
    ordered, board, table = pairing.ordered or before.ordered, pairing.board or before.board, pairing.table or before.table
    return replace(_scored(pairing, before), ordered=ordered, board=board, table=table)


def _scored(pairing: Pairing, before: Pairing | None) -> Pairing:
    if before is None:
        return pairing
    same = before if before.first == pairing.first else _turned(before)
    one, two = (old if new is None else new for new, old in zip(pairing.scores, same.scores, strict=True))
    return replace(pairing, scores=(one, two))


def _turned(pairing: Pairing) -> Pairing:
    return replace(pairing, first=pairing.second, second=pairing.first, scores=pairing.scores[::-1])


def _players(pairing: Pairing) -> set[int]:
    return {pairing.first, pairing.second} - {BYE}


def _meeting(pairing: Pairing) -> tuple[str, int, frozenset[int]]:
    return pairing.division, pairing.round, frozenset((pairing.first, pairing.second))


def lost(known: Event, now: Event) -> list[Phrase]:
    """Return what of ``known`` is gone or another in ``now``, in sentences."""
    return [visible(each) for each in (*_lost_players(known, now), *_lost_pairings(known, now), *_lost_tables(known, now))]


def _lost_players(known: Event, now: Event) -> Iterator[Phrase]:
    games = Counter((each.division, number) for each in now.pairings for number in _players(each))
    for (division, number), each in known.by_number.items():
        other = now.by_number.get((division, number))
        if other is None:
            yield Phrase("Division {division}: player {player}, {name}, goes.", division=division, player=number, name=each.name)
        elif _named(other) != _named(each):
            yield Phrase(
                "Division {division}: player {player}, {name}, becomes {other}, in {pairings}.",
                division=division,
                player=number,
                name=each.name,
                other=other.name,
                pairings=counted(games[division, number], "pairing"),
            )


_PAIRINGS_GO: Final = as_phrase("Division {division}, round {round}: these pairings go: {names}.")
_SCORES_GO: Final = as_phrase("Division {division}, round {round}: these scores go: {names}.")


def _lost_pairings(known: Event, now: Event) -> Iterator[Phrase]:
    gone: dict[tuple[str, int, Phrase], list[str]] = defaultdict(list)
    kept = {_meeting(each): each for each in now.pairings}
    for each in known.pairings:
        after = kept.get(_meeting(each))
        if after is None:
            gone[each.division, each.round, _PAIRINGS_GO].append(_said(known, each))
            continue
        after = after if after.first == each.first else _turned(after)
        if any(old not in {None, new} for old, new in zip(each.scores, after.scores, strict=True)):
            said = Phrase("{pairing} (now {scores})", pairing=_said(known, each), scores=_scores(after) or as_phrase("none"))
            gone[each.division, each.round, _SCORES_GO].append(said)
    for (division, number, what), several in gone.items():
        yield Phrase(what.template, division=division, round=number, names=listed(several, _SHOWN))


def _lost_tables(known: Event, now: Event) -> Iterator[Phrase]:
    boards: dict[str, list[str]] = defaultdict(list)
    has_table = {(each.division, each.board) for each in now.tables}
    for each in known.tables:
        if (each.division, each.board) not in has_table:
            boards[each.division].append(str(each.board))
    for division, said in boards.items():
        yield Phrase("Division {division}: these boards lose their tables: {boards}.", division=division, boards=listed(said, _SHOWN))
    stands = {each.table for each in now.floor}
    if said := [str(each.table) for each in known.floor if each.table not in stands]:
        yield Phrase("Floor plan: these tables go: {tables}.", tables=listed(said, _SHOWN))


def _said(event: Event, pairing: Pairing) -> Phrase:
    players = (pairing.first, pairing.second)
    names = in_a_row(*(event.by_number[pairing.division, each].name if each != BYE else Phrase("bye") for each in players), between=" - ")
    return in_a_row(names, scores) if (scores := _scores(pairing)) else names


def _scores(pairing: Pairing) -> str:
    scores = pairing.scores[: 1 if pairing.second == BYE else 2]
    return ":".join("?" if each is None else str(each) for each in scores) if any(each is not None for each in scores) else ""


_KINDS: Final = Phrase("{kinds} or {last}", kinds="config.tsh, *.t, *.js, *.json, *.csv, *.tsv, *.txt", last="*.zip")
_ENDINGS: Final = {".tsh", ".t", ".js", ".json", ".txt", ".csv", ".tsv"}
_TABLES: Final = {".csv", ".tsv"}
_EVENT: Final = Phrase("the event")
_ANEW: Final = "Delete the current event with this import"
_MAX_MEMBERS: Final = 200
_UNPACK: Final = "Unpack it, and import its files"


def read_event(files: Mapping[str, bytes], known: Event | None = None, *, decides: bool = False) -> Event:
    """Return ``known`` with what ``files`` have: the contents by name, whose ending says the format. ``decides``: as for ``merged``.

    Raises:
        UnreadableEvent: it has every problem of every file; nothing is half-imported.
    """
    reading = _Reading(files, known or Event(), decides=decides)
    for name in sorted(reading.texts, key=reading.turn):
        reading.read(name)
    if problems := reading.problems or list(islice(_conflicts(reading.event, reading.places), MAX)):
        raise UnreadableEvent(problems)
    return reading.event


def read_import(files: Mapping[str, bytes], known: Event, *, decides: bool = False) -> tuple[Event, list[Phrase]]:
    """Return ``known`` with what ``files`` have, and what of ``known`` goes by that, in sentences: then, or if told so, the files decide. Raises as ``read_event``."""
    event = read_event(files, known)
    if decides or lost(known, event):
        event = read_event(files, known, decides=True)
    return event, lost(known, event)


def _ending(name: str) -> str:
    return PurePosixPath(name).suffix.lower()


_PAIRINGS: Final = as_phrase("the pairings of division {division} in round {round} in one file")
_PAIRINGS_CSV: Final = as_phrase("the pairings of division {division} in round {round} in one CSV file")
_BOARDS: Final = as_phrase("the boards of division {division} in one file")
_BOARDS_CSV: Final = as_phrase("the boards of division {division} in one CSV file")


class _Reading:
    def __init__(self, files: Mapping[str, bytes], known: Event, *, decides: bool) -> None:
        self.event, self._decides = known, decides
        self.problems: list[Problem] = []
        self.texts: dict[str, str] = {}
        self.places: dict[object, Spot] = {}
        self._contents: dict[str, bytes] = {}
        self._named: set[str] = set()
        self._sources: dict[str, str] = {}
        for name, content in files.items():
            try:
                held, others = _members(name, content) if _ending(name) == ".zip" else ({name: content}, [])
                self.texts |= {each: text_of(each, content) for each, content in held.items()}
                self._contents |= held
                self.event = dataclasses.replace(self.event, passed=(*self.event.passed, *_left_out(name, others)))
            except UnreadableEvent as error:
                self.problems.extend(error.problems)

    def turn(self, name: str) -> tuple[bool, int, str]:
        """Return the order of reading: a configuration before the files that it names, players before boards and pairings."""
        return _ending(name) != ".tsh", kind_of(self.texts[name]) if self._is_table(name) else 0, name

    def _is_table(self, name: str) -> bool:
        """Return whether a file is a table with a first line of columns; a spreadsheet may save one as text too."""
        return _ending(name) in _TABLES or (_ending(name) == ".txt" and kind_of(self.texts[name]) > 0)

    def read(self, name: str) -> None:
        file = Spot(name)
        part = self._part(name, self.texts[name], file)
        self._look_for_another(name, part, file)
        self.problems.extend(file.problems)
        self.places |= file.places
        for division in sorted({each.division for each in part.tables if each.division in self.event.given - part.given}):
            file.pass_over(
                Phrase("its tables of division {division} are passed over, because a boards CSV has said them", division=division)
            )
        # Also with problems: what names its players is then judged by those that it has.
        self.event = merged(self.event, dataclasses.replace(part, passed=tuple(file.passed)), decides=self._decides)
        if not (
            len(self.event.players) <= MAX_PLAYERS
            and len(self.event.divisions) <= MAX_DIVISIONS
            and len(self.event.pairings) <= MAX_PAIRINGS
        ):
            expected = "at most {players} players, {divisions} divisions and {pairings} pairings in all"
            most = Phrase(expected, players=MAX_PLAYERS, divisions=MAX_DIVISIONS, pairings=MAX_PAIRINGS)
            raise UnreadableEvent.of(name, most, "more")

    def _part(self, name: str, text: str, file: Spot) -> Event:
        ending = _ending(name)
        if ending == ".tsh" or (ending == ".txt" and is_archive(text)):
            own, beside = encodings_of(text, file)
            return read_config(text_in(own, self._contents[name], file), self._division(name, beside, file), file)
        if ending not in {".js", ".json"} and (other := other_kind(text)) is not None:
            file.on(other[0]).add(*other[1:])
            return Event()
        if ending == ".t":
            return Event() if name in self._named else read_division(division_of(PurePosixPath(name).stem[:20], file), text, file)
        if ending in {".js", ".json"}:
            return read_newt(text, file)
        if self._is_table(name):
            return read_csv(text, self.event, file)
        if ending == ".txt":
            return read_division(None, text, file)
        file.add(_KINDS, "another ending", "Leave this file out, or export it in one of these formats")
        return Event()

    def _look_for_another(self, name: str, part: Event, file: Spot) -> None:
        """Note what another file of the same import has too: it would be lost. Only pairings and boards as CSV replace those of a tournament file."""
        pairings, boards = (_PAIRINGS_CSV, _BOARDS_CSV) if self._is_table(name) else (_PAIRINGS, _BOARDS)
        parts = {Phrase("the players of division {division} in one file", division=each.division) for each in part.players}
        parts |= {Phrase(pairings.template, division=each.division, round=each.round) for each in part.pairings}
        parts |= {Phrase(boards.template, division=each.division) for each in part.tables}
        parts |= {Phrase("the floor plan in one file") for _ in part.floor}
        for what in sorted(parts):
            if (other := self._sources.setdefault(what, name)) != name:
                found = Phrase("them in {file} too", file=quoted(PurePosixPath(other).name))
                file.add(what, found, "Leave one of the files out")

    def _division(self, config: str, codec: str, at: Spot) -> Callable[[str], TFile | None]:
        def find(said: str) -> TFile | None:
            # On Windows a folder ends with a backslash.
            name = found_as(str(PurePosixPath(config).parent / said.replace("\\", "/")), self.texts)
            self._named.add(name or "")
            return None if name is None else (name, text_in(codec, self._contents[name], replace(at, file=name)), 0)

        return find


def _members(name: str, content: bytes) -> tuple[dict[str, bytes], list[str]]:
    """Return the files of a zip that are read, and the names of the others. Of a folder of TSH those count that lie beside its configuration."""
    try:
        with zipfile.ZipFile(BytesIO(content)) as packed:
            listed = [each for each in packed.infolist() if not each.is_dir() and "__MACOSX" not in each.filename]
            every = {f"{name}/{each.filename}": each for each in listed}
            configs = _topmost(each for each in every if _ending(each) == ".tsh")
            folders = {PurePosixPath(each).parent for each in configs}
            taken = [each for each in every if _ending(each) in _ENDINGS and (not folders or PurePosixPath(each).parent in folders)]
            fits = 0 < len(taken) <= _MAX_MEMBERS and sum(every[each].file_size for each in taken) <= MAX_BYTES
            found = {each: _unpacked(packed, every[each]) for each in taken} if fits else {}
    except Exception as error:
        raise UnreadableEvent.of(
            name, "a whole zip, packed by deflate and without a password", "a damaged or another one", _UNPACK
        ) from error
    if len(events := configs or _topmost(each for each in every if PurePosixPath(each).name.lower() == "tourney.js")) > 1:
        one, two = (quoted(each.removeprefix(f"{name}/")) for each in events[:2])
        found_here = Phrase("{count}, such as {one} and {two}", count=len(events), one=one, two=two)
        raise UnreadableEvent.of(name, "one event in it", found_here, "Unpack it, and import the files of one")
    if len(every) < len(listed):
        raise UnreadableEvent.of(name, "each file in it once", "two of one name", _UNPACK)
    if not fits:
        what = Phrase("1 to {most} files of an event in it, of {size} MB at most", most=_MAX_MEMBERS, size=MAX_BYTES // 1_000_000)
        raise UnreadableEvent.of(name, what, "more" if taken else "none", _UNPACK)
    return found, [each for each in every if each not in found]


_STRAY: Final = as_phrase("{name}: these files are passed over, because only those beside the configuration are read: {files}.")
_OTHER: Final = as_phrase("{name}: these files are passed over, because no file of an event ends so: {files}.")


def _left_out(name: str, others: Iterable[str]) -> Iterator[Phrase]:
    why: dict[Phrase, list[str]] = defaultdict(list)
    for each in others:
        why[_STRAY if _ending(each) in _ENDINGS else _OTHER].append(quoted(each.removeprefix(f"{name}/")))
    for said, of in why.items():
        yield visible(Phrase(said.template, name=name, files=listed(of, _SHOWN)))


def _topmost(names: Iterable[str]) -> list[str]:
    """Return those in the fewest folders: TSH keeps older configurations in a folder beside the one that counts."""
    found = list(names)
    least = min((each.count("/") for each in found), default=0)
    return [each for each in found if each.count("/") == least]


def _unpacked(packed: zipfile.ZipFile, member: zipfile.ZipInfo) -> bytes:
    """Return the content of a member, no longer than the directory says, however long it is. Raises ``BadZipFile``."""
    # Of other methods zipfile unpacks all that it has read at once.
    if member.compress_type not in {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}:
        raise zipfile.BadZipFile(f"method {member.compress_type}")
    with packed.open(member) as file:
        return file.read(member.file_size)


def _conflicts(event: Event, places: Mapping[object, Spot]) -> Iterator[Problem]:
    spelt: dict[str, dict[object, str]] = defaultdict(dict)
    at_table: dict[tuple[int, int], dict[object, str]] = defaultdict(dict)
    for division in sorted(event.divisions):
        # An older program stored the divisions of CSV as they were.
        spelt[division.upper()][division] = quoted(division)
    for each in event.pairings:
        if each.table is not None and each.second != BYE:
            at_table[each.round, each.table][each.division, each.round, each.first] = f"{each.division} {each.first}-{each.second}"
        for number in sorted({each.first, each.second} - {BYE}):
            if (each.division, number) not in event.by_number:
                found = Phrase("none, but a pairing of round {round}", round=each.round)
                expected = Phrase("a player {player} in division {division}", player=number, division=each.division)
                yield Problem(_EVENT, 0, expected, found, _ANEW)
    for name, spellings in spelt.items():
        yield from _clash(Phrase("no other spelling of division {division}", division=name), spellings, places, _ANEW)
    for (number, table), pairings in sorted(at_table.items()):
        expected = Phrase("no other pairing at table {table} in round {round}", table=table, round=number)
        yield from _clash(expected, pairings, places, "Correct one of them, and import both files together")


def _clash(expected: str, parts: Mapping[object, str], places: Mapping[object, Spot], remedy: str) -> Iterator[Problem]:
    """Yield the problem of several ``parts``, at the one that was read last."""
    if len(parts) > 1:
        *_, last = (None, *(key for key in places if key in parts))
        at = places.get(last, Spot(_EVENT))
        earlier = as_phrase("imported earlier")
        others = [
            Phrase("{said} ({where})", said=said, where=places[key].where if key in places else earlier)
            for key, said in parts.items()
            if key != last
        ]
        yield Problem(at.file, at.line, expected, in_a_row(*others[:5], between=", "), remedy)


def contents_of(paths: Sequence[Path]) -> dict[str, bytes]:
    """Return the contents by name; those of a ``config.tsh`` with the ``.t`` files that it names. A file that is given twice is read once. Raises ``UnreadableEvent``."""
    found: dict[str, bytes] = {}
    problems: list[Problem] = []
    seen: list[os.stat_result] = []
    for path in [each for given in sorted(paths, key=lambda each: _ending(each.name) != ".tsh") for each in (given, *_divisions(given))]:
        try:
            with path.open("rb") as file:
                if not any(os.path.samestat(os.fstat(file.fileno()), each) for each in seen):
                    # A pipe or a device has no size.
                    found[str(path)] = file.read(MAX_BYTES + 1)
                seen.append(os.fstat(file.fileno()))
        except IsADirectoryError:
            remedy = Phrase("Name the file in it, such as {file}", file=path / "config.tsh")
            problems.append(Problem(str(path), 0, "a file", "a folder", remedy))
        except OSError as error:
            problems.append(Problem(str(path), 0, "a readable file", reason(error)))
    if problems:
        raise UnreadableEvent(problems)
    return found


def _divisions(path: Path) -> Iterator[Path]:
    """Yield the files that a configuration names, as far as they lie beside it."""
    if path.suffix.lower() != ".tsh" or not path.is_file():
        return
    try:
        with path.open("rb") as file:
            content = file.read(MAX_BYTES + 1)
        own, _ = encodings_of(text_of(path.name, content), Spot(""))
        names = divisions_of(text_in(own, content, Spot(path.name)))
        beside = {each.name: each for each in path.parent.iterdir()}
    except (OSError, UnreadableEvent):
        # The reading itself says why.
        return
    for name in dict.fromkeys(name for _, name in names):
        found = found_as(str(PurePosixPath(name.replace("\\", "/"))), beside)
        if found is not None and beside[found].is_file():
            yield beside[found]
