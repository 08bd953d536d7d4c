"""What all formats of organisers' files share: from bytes to lines, from words to values, names as they are compared, what a line of TSH says behind the scores.

Also from each player's own list of opponents, as TSH keeps it, to the pairings of a division; and what is wrong with a file: every problem on the way is noted, so that one correction of a file suffices.
"""

from __future__ import annotations

import codecs
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from typing import Final, TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from faults.errors import Phrase, TileclockError, as_phrase, full_stop, in_a_row, problem_of, sentences_of
from hall.event.model import BYE, Event, Pairing, Player, TableAssignment
from rules.tables import MAX_TABLE

MAX: Final = 100
"""The most problems of one file; after that it is another kind of file."""
_LONGEST: Final = 60


class Problem(Struct, frozen=True):
    file: str
    line: int
    """From 1; 0: the file as a whole."""
    expected: str
    found: str
    remedy: str = ""
    """Empty: to correct what was found is all that there is to do."""

    @property
    def where(self) -> str:
        return _where(self)

    @property
    def sentence(self) -> Phrase:
        return visible(sentences_of(problem_of(self.where, self.expected, self.found), self.remedy))


class UnreadableEvent(TileclockError, ValueError):
    """Files of an event have problems; nothing of them was taken."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        first = problems[0]
        super().__init__(where=first.where, expected=first.expected, found=first.found, remedy=first.remedy)
        self.problems = tuple(problems)

    @classmethod
    def of(cls, file: str, expected: str, found: str, remedy: str = "") -> UnreadableEvent:
        return cls([Problem(file, 0, expected, found, remedy)])


class Spot(Struct, frozen=True):
    """A file, or a line of it: takes what is wrong there, and what is passed over."""

    file: str
    line: int = 0
    problems: list[Problem] = field(default_factory=list)
    passed: list[str] = field(default_factory=list)
    """In sentences: no problem, but a director has to know."""
    places: dict[object, Spot] = field(default_factory=dict)
    """Where a division, or a pairing by division, round and player, was read: another file may contradict it."""

    @property
    def where(self) -> str:
        return _where(self)

    def on(self, line: int) -> Spot:
        return replace(self, line=line)

    def add(self, expected: str, found: str, remedy: str = "Correct it") -> None:
        if len(self.problems) < MAX:
            self.problems.append(Problem(self.file, self.line, expected, found, remedy))

    def note(self, what: object) -> None:
        self.places.setdefault(what, self)

    def pass_over(self, what: str) -> None:
        if len(self.passed) < MAX:
            self.passed.append(visible(full_stop(Phrase("{where}: {said}", where=self.where, said=as_phrase(what)))))


def _where(of: Problem | Spot) -> str:
    return Phrase("{file}, line {line}", file=of.file, line=of.line) if of.line else of.file


def listed(said: Sequence[str], most: int) -> Phrase:
    """Return the first ``most`` texts, separated by commas, and the number of the rest."""
    shown, more = in_a_row(*said[:most], between=", "), len(said) - most
    return Phrase("{names} and {more} more", names=shown, more=more) if more > 0 else shown


def quoted(text: str) -> str:
    """Return text of a file as it follows "found": short, on one line, in quotes."""
    clean = str(visible(" ".join(text[: 2 * _LONGEST].split())))
    # In a broken line of TSH the password may stand anywhere.
    clean = re.sub(r"(password).*", r"\1 …", clean, flags=re.IGNORECASE)
    return f'"{clean}"' if len(clean) <= _LONGEST else f'"{clean[: _LONGEST - 1]}…"'


def visible(text: str) -> Phrase:
    """Return a text with each invisible character replaced by its code, also in the values of a phrase."""
    if isinstance(text, Phrase) and text.values:
        values = {name: visible(value) if isinstance(value, str) else value for name, value in text.values.items()}
        return Phrase(text.template, **values)
    return as_phrase("".join(each if each.isprintable() else f"<U+{ord(each):04X}>" for each in text))


MAX_BYTES: Final = 8_000_000
MAX_LINES: Final = 100_000
_LONGEST_TEXT: Final = 100
_MEMBER: Final = re.compile(r"(.*?\S)\s*:\s*([A-Z]{2}\d{6})")
_NUMBER: Final = re.compile(r"-?[0-9]{1,9}")
_ENDS: Final = re.compile(r"\r\n|\r|\n")
_CODECS: Final = {
    r"utf-?8(?:-strict)?": "utf-8",
    r"(?:iso-?)?latin-?([0-9]+)": r"latin\1",
    r"iso-?8859-([0-9]+)": r"iso8859-\1",
    r"(?:cp|ibm|ms|windows)-?([0-9]+)": r"cp\1",
}
"""Python's names of encodings, by what Perl takes for them."""
_ASCII: Final = bytes(range(128))
_WINDOWS: Final = {code: bytes([code]).decode("cp1252", "ignore") or chr(code) for code in range(0x80, 0xA0)}


def text_of(file: str, content: bytes) -> str:
    """Return the text of a file: each line UTF-8 where it is that, else Windows-1252. Byte order marks do not count, wherever files were joined."""
    if len(content) > MAX_BYTES:
        raise UnreadableEvent.of(file, Phrase("at most {most} MB", most=MAX_BYTES // 1_000_000), "more")
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise UnreadableEvent.of(file, "text in UTF-8 or Windows-1252", "UTF-16", "Save it as UTF-8")
    if b"\x00" in content:
        raise UnreadableEvent.of(file, "text", "a file of another kind", "Export it as text")
    lines = content.replace(codecs.BOM_UTF8, b"").splitlines(keepends=True)
    if len(lines) > MAX_LINES:
        raise UnreadableEvent.of(file, Phrase("at most {most} lines", most=MAX_LINES), "more")
    return "".join(map(_decoded, lines))


def codec_of(said: str) -> str | None:
    """Return Python's codec of an encoding that a configuration of TSH names; None: there is none that has ASCII in its place."""
    name = said.strip().lower().replace("_", "-")
    for pattern, codec in _CODECS.items():
        if (found := re.fullmatch(pattern, name)) is not None:
            with suppress(LookupError, UnicodeDecodeError):
                known = codecs.lookup(found.expand(codec)).name
                return known if _ASCII.decode(known) == _ASCII.decode() else None
    return None


def text_in(codec: str, content: bytes, file: Spot) -> str:
    """Return the text of a file that ``text_of`` takes, in an encoding that another file names; the first byte that does not fit is noted."""
    # TSH reads as Latin-1 what says nothing else; what is UTF-8 all the same, or has a mark that says so, is that.
    if codec in {"", "iso8859-1", "cp1252"} or content.startswith(codecs.BOM_UTF8):
        return text_of(file.file, content)
    if (wrong := _misfit(codec, content)) is None:
        return content.decode(codec).replace("\ufeff", "")
    at = file.on(len(_ENDS.findall(content[:wrong].decode("iso-8859-1"))) + 1)
    at.add(
        Phrase("text in {codec}, as its configuration says", codec=codec),
        Phrase("the byte {byte}", byte=f"{content[wrong]:02X}"),
        "Save the file in that encoding, or correct the configuration",
    )
    return text_of(file.file, content)


def _misfit(codec: str, content: bytes) -> int | None:
    """Return where the first byte stands that is no text in an encoding."""
    try:
        text = content.decode(codec)
    except UnicodeDecodeError as error:
        return error.start
    # In ISO 8859 these are control codes: the file is in an encoding of Windows.
    found = re.search("[\x80-\x9f]", text) if codec.startswith("iso") else None
    return None if found is None else found.start()


def _decoded(line: bytes) -> str:
    try:
        return line.decode()
    except UnicodeDecodeError:
        return line.decode("iso-8859-1").translate(_WINDOWS)


def lines_of(text: str) -> list[str]:
    return _ENDS.split(text)


def number_of(text: str, least: int, most: int) -> int | None:
    number = int(text) if _NUMBER.fullmatch(text) else most + 1
    return number if least <= number <= most else None


def name_of(text: str, at: Spot) -> tuple[str, str]:
    """Return a player's name and number with the federation (``Last, First:AA000000``); an unusable one is noted."""
    clean = _normal(text)
    found = _MEMBER.fullmatch(clean)
    name, member = (found[1], found[2]) if found else (clean, "")
    return plain_text(name, "a name", at, 1), member


def plain_text(text: str, what: str, at: Spot, least: int = 0, most: int = _LONGEST_TEXT) -> str:
    """Return a text of one line; an unusable one is noted."""
    clean = _normal(text)
    if not least <= len(clean) <= most or not clean.isprintable():
        expected = Phrase("{what} of {least} to {most} printable characters", what=as_phrase(what), least=least, most=most)
        at.add(expected, quoted(text) if clean else "nothing")
    return clean


def key_of(text: str) -> str:
    """Return what two spellings of one name have in common."""
    return _normal(text).casefold()


def _normal(text: str) -> str:
    # Putting a run of accents in order takes the square of its length.
    return unicodedata.normalize("NFC", " ".join(text.split())[:1_000])


def rating_of(text: str) -> str:
    """Return a rating: any text that another program writes for one, such as ``1437+21``, ``1500P`` or ``unrated``."""
    return str(visible(_normal(text)[:_LONGEST_TEXT]))


def division_of(text: str, at: Spot) -> str:
    return plain_text(text, "a division", at, 1, 20).upper()


def tsh_division(text: str) -> str:
    """Return a division's name as TSH looks it up: letters, digits and low lines alone, in capitals."""
    return re.sub(r"\W", "", text).upper()


def found_as(said: str, names: Mapping[str, object]) -> str | None:
    """Return which of ``names`` a file is meant by: the same, or the only one that differs in capitals."""
    alike = [said] if said in names else [each for each in names if each.casefold() == said.casefold()]
    return alike[0] if len(alike) == 1 else None


KEPT_TABLES: Final = Phrase("Boards keep the tables of an earlier import; a boards CSV can say them")


def tables_of(division: str, labels: object, at: Spot) -> Iterable[TableAssignment]:
    """Return where a division's boards stand; what is no list of numbers of tables is passed over as a whole. To TSH, 0 and an empty label are no table."""
    numbers = [number_of(str(each or 0), 0, MAX_TABLE) for each in labels] if isinstance(labels, list) else [None]
    if None in numbers:
        said = ", ".join(str(each or "") for each in labels) if isinstance(labels, list) else str(labels)
        what = Phrase(
            "the tables of division {division} are no plain numbers from 1 to {most} ({found}) and are passed over. {kept}",
            division=division,
            most=MAX_TABLE,
            found=quoted(said),
            kept=KEPT_TABLES,
        )
        at.pass_over(what)
        return ()
    return (TableAssignment(division, board, table) for board, table in enumerate(numbers, 1) if table)


def extras_of(text: str) -> dict[str, list[str]]:
    """Return the words by key; a backslash takes the next character as it is."""
    parts = (re.sub(r"\\(.)", r"\1", each).split() for each in re.findall(r"(?:^|;)([^;\\]*(?:\\.[^;\\]*)*)", text))
    return {words[0]: words[1:] for words in parts if words}


def extras_text(extras: Mapping[str, Sequence[str]]) -> str:
    """Return the text of extras as TSH writes it: by key, and keys without words left out."""
    return "; ".join(" ".join([_escaped(key), *map(_escaped, words)]) for key, words in sorted(extras.items()) if words)


def kept_extras(extras: Mapping[str, Sequence[str]]) -> str:
    """Return the text of what an event keeps without knowing what it means."""
    # What pairings and players say themselves, and a secret.
    return str(
        visible(
            extras_text(
                {
                    key: " ".join(words).split()
                    for key, words in extras.items()
                    if key not in {"board", "p12", "team", "password"} and len(key.split()) == 1
                }
            )
        )
    )


def _escaped(word: str) -> str:
    return re.sub(r"[\\;]", r"\\\g<0>", word)


MAX_ROUNDS: Final = 200
MAX_PLAYERS: Final = 10_000
MAX_DIVISIONS: Final = 200
MAX_PAIRINGS: Final = 50_000
"""Of an event: more than three times those of a thousand players in 31 rounds."""
UNDEFINED: Final = "00"
"""The word of a round that is not paired yet, or without a score."""
_HIGHEST_SCORE: Final = 99_999
_SCORES: Final = as_phrase("at most {count} scores from {least} to {most}")
_OPPONENTS: Final = as_phrase("at most {count} opponents from {least} to {most}")
Extras: TypeAlias = Mapping[str, Sequence[str]]
_FIRST, _SECOND = 1, 2


class OwnList(Struct, frozen=True):
    """A player with what the file says of each round."""

    line: int
    player: Player
    opponents: Sequence[int | None]
    """Numbers in the division, or ``BYE``; None: not paired yet."""
    scores: Sequence[int | None]
    sound: bool
    """The whole of it could be read; of another one nothing contradicts it."""
    boards: Sequence[int] = ()
    """0: none."""
    starts: Sequence[int] = ()
    """1: goes first, 2: goes second; else open."""


def own_list(at: Spot, who: tuple[str, int], said: Sequence[str], rounds: tuple[Sequence[str], Sequence[str]], extras: Extras) -> OwnList:
    """Return a player's list, from division and number, name and rating, opponents and scores, in words as either form of TSH has them."""
    before = len(at.problems)
    # As TSH writes it into its other form. A comma at the end keeps the digits of a name apart from the rating: to TSH it is no part of the name.
    name, member = name_of(re.sub(r",\s*", ", ", re.sub(r",\s*$", "", said[0])), at)
    team = plain_text(" ".join(extras.get("team", ())), "a team", at)
    # To TSH too a word that is no number says nothing as a board, or as who goes first.
    boards, starts = ([number_of(each, 0, 9_999) or 0 for each in extras.get(key, ())] for key in ("board", "p12"))
    # With 9999 TSH too means that there is none.
    points = [None if each == 9_999 else each for each in _numbers(rounds[1], _SCORES, -_HIGHEST_SCORE, _HIGHEST_SCORE, at)]
    opponents = _numbers(rounds[0], _OPPONENTS, 0, MAX_PLAYERS, at)
    player = Player(*who, name, rating_of(said[1]), member, team, kept_extras(extras))
    return OwnList(at.line, player, opponents, points, len(at.problems) == before, boards, starts)


def _numbers(words: Sequence[str], what: str, least: int, most: int, at: Spot) -> list[int | None]:
    found = [None if each == UNDEFINED else number_of(each, least, most) for each in words[:MAX_ROUNDS]]
    wrong = [word for word, number in zip(words, found, strict=False) if number is None and word != UNDEFINED]
    if wrong or len(words) > MAX_ROUNDS:
        said = quoted(wrong[0]) if wrong else Phrase("{count} of them", count=len(words))
        at.add(Phrase(what, count=MAX_ROUNDS, least=least, most=most), said, "")
    return found


def event_of(divisions: Mapping[str, Mapping[int, OwnList]], tables: Iterable[TableAssignment], file: Spot) -> Event:
    """Return the event of the lists by division and number, and note each list that another contradicts."""
    players = tuple(own.player for lists in divisions.values() for own in lists.values())
    for own in (own for lists in divisions.values() for own in lists.values()):
        file.on(own.line).note(own.player.division)
    pairings = tuple(islice((each for lists in divisions.values() for each in _pairings_of(lists, file)), MAX_PAIRINGS + 1))
    return Event(players, pairings, tuple(tables))


def _pairings_of(lists: Mapping[int, OwnList], file: Spot) -> Iterator[Pairing]:
    lacking: set[int] = set()
    for number, own in lists.items():
        for index in range(max(len(own.opponents), len(own.scores))):
            if (opponent := _at(own.opponents, index)) is None:
                if _at(own.scores, index) is not None:
                    file.on(own.line).pass_over(
                        Phrase(
                            "the score of player {player} in round {round} has no opponent and is passed over",
                            player=number,
                            round=index + 1,
                        )
                    )
            elif opponent == BYE:
                yield Pairing(own.player.division, index + 1, number, BYE, scores=(_at(own.scores, index), None))
            elif _is_mutual(lists, own, index, lacking, file.on(own.line)) and number < opponent:
                yield _pairing(own, lists[opponent], index, file)


def _is_mutual(lists: Mapping[int, OwnList], own: OwnList, index: int, lacking: set[int], at: Spot) -> bool:
    number, opponent = own.player.number, own.opponents[index]
    if opponent == number:
        expected = Phrase("another player as the opponent of player {player} in round {round}", player=number, round=index + 1)
        at.add(expected, "this player", "Write 0 for a bye, or correct it")
        return False
    if opponent is None or opponent not in lists:
        expected = Phrase("an opponent of round {round} among the players 1 to {most}", round=index + 1, most=len(lists))
        at.add(expected, str(opponent))
        return False
    other = lists[opponent]
    answer = _at(other.opponents, index)
    # A list that is too short contradicts all others; the first one says enough. Whoever meets themselves is a problem of their own.
    if answer not in {number, opponent} and own.sound and other.sound and opponent not in lacking:
        what = "no opponent" if answer is None else "a bye" if answer == BYE else Phrase("player {player}", player=answer)
        at.add(
            Phrase("that players {one} and {two} meet in round {round}", one=number, two=opponent, round=index + 1),
            Phrase("that player {player} has {other}", player=opponent, other=as_phrase(what)),
        )
        lacking |= {opponent} if answer is None else set()
    return answer == number


_BOTH_FIRST: Final = as_phrase("players {one} and {two} (line {line}) both go first in round {round}: who goes first is open")
_BOTH_SECOND: Final = as_phrase("players {one} and {two} (line {line}) both go second in round {round}: who goes first is open")


def _pairing(own: OwnList, other: OwnList, index: int, file: Spot) -> Pairing:
    """Return the pairing of two lists. What they say differently is open, and noted."""
    both = {"one": own.player.number, "two": other.player.number, "line": other.line, "round": index + 1}
    boards = {each: None for each in (_at(own.boards, index), _at(other.boards, index)) if each}
    if len(boards) > 1:
        said = " / ".join(map(str, boards))
        different = "players {one} and {two} (line {line}) have different boards in round {round}, {boards}: this pairing has none"
        file.on(own.line).pass_over(Phrase(different, boards=said, **both))
    starts, answer = _at(own.starts, index), _at(other.starts, index)
    own_first, other_first = starts == _FIRST or answer == _SECOND, starts == _SECOND or answer == _FIRST
    if own_first and other_first:
        first = _FIRST in {starts, answer}
        file.on(own.line).pass_over(Phrase((_BOTH_FIRST if first else _BOTH_SECOND).template, **both))
    ordered = own_first is not other_first
    one, two = (other, own) if ordered and other_first else (own, other)
    board = next(iter(boards)) if len(boards) == 1 else None
    scores = _at(one.scores, index), _at(two.scores, index)
    return Pairing(own.player.division, index + 1, one.player.number, two.player.number, ordered, board, scores=scores)


def _at(values: Sequence[int | None], index: int) -> int | None:
    return values[index] if index < len(values) else None
