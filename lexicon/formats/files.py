"""Recognises, reads and writes the word files of other programs.

Only our own format has a magic number, and file names are not reliable: the others are recognised by their content. Each starts differently; a file that starts
like two is checked as both.

Files are read in two steps: open and recognise, then read words as tiles of a given alphabet. Two steps, because other modules read our own files and texts, and
because a file that names its alphabet can be examined without one. Its letters become an alphabet's tiles by text if the file names them, otherwise by number.

All limits of a format are checked before anything is written.
"""

import codecs
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from msgspec import Struct
from msgspec.structs import replace

from faults.errors import reason
from faults.small_file import open_regular
from lexicon.alphabet import Alphabet
from lexicon.dawg import Dawg
from lexicon.errors import TILES_IN_ALPHABET, BadName, BadWordFile, LexiconError, Unreadable
from lexicon.formats import kwg, quackle, zyzzyva
from lexicon.formats.siblings import MAX_NODES, Format, Found, Siblings
from lexicon.header import MAGIC

HEAD = 1 << 16
"""Bytes at a file's start that distinguish our own files and texts from the rest."""

_BYTE_ORDER_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_BE)


class _Kind(Struct, frozen=True):
    name: str
    format: Format | None
    fits: Callable[[bytes], bool]
    find: Callable[[bytes], Found]


_KINDS = (
    _Kind("KWG", Format.KWG, kwg.fits, kwg.find),
    _Kind("Node24 KWG (.kbwg)", None, kwg.fits_node24, kwg.find_node24),
    _Kind("Zyzzyva .dwg", Format.ZYZZYVA, zyzzyva.fits, zyzzyva.find),
    _Kind("Quackle .dawg version 1", Format.QUACKLE, quackle.fits, quackle.find),
    _Kind("Quackle .dawg version 0", Format.QUACKLE0, quackle.fits_0, quackle.find_0),
)

FINDERS = {kind.format: kind.find for kind in _KINDS if kind.format}
"""For each format of another program, the function that checks a file claimed to have it."""


def by_beginning(head: bytes) -> Format | None:
    """Return whether a file starting with ``head`` (``HEAD`` bytes, or all of it) is our own or a text; None if neither.

    A text has no zero byte; each other format has one near its start. ``wordtext`` checks encoding and words, and names the encodings it rejects.
    """
    if head.startswith(MAGIC):
        return Format.TILECLOCK
    return Format.TEXT if b"\0" not in head or head.startswith(_BYTE_ORDER_MARKS) else None


def recognise(data: bytes) -> Found:
    """Recognise and check another program's file; ``data`` is the whole file.

    Raises ``BadWordFile``: its format is unknown, unsupported or ambiguous, or it is damaged.
    """
    kinds = [kind for kind in _KINDS if kind.fits(data)]
    sound, faults = list[tuple[_Kind, Found]](), list[BadWordFile]()
    for kind in kinds:
        try:
            sound.append((kind, kind.find(data)))
        except BadWordFile as fault:
            fault.locate(f"taken for {kind.name}")
            faults.append(fault)
    if len(sound) == 1:
        ((kind, found),) = sound
        if kind.format is None:
            raise BadWordFile(expected="a supported word file", found=kind.name, remedy="Make a KWG file of the list with wolges")
        return found
    if sound:
        names = " and of ".join(kind.name for kind, _ in sound)
        raise BadWordFile(expected="a word file of one kind", found=f"one that could be of {names}", remedy="Name its format with --from")
    if faults:
        said = ", and ".join(f"{fault.found} ({fault.where})" for fault in faults)
        raise BadWordFile(expected=" or ".join(fault.expected for fault in faults), found=said, remedy=faults[0].remedy)
    names = ", ".join(kind.name for kind in _KINDS if kind.format)
    raise BadWordFile(expected=f"a word file (Tileclock, text in UTF-8, {names})", found="none of these", remedy="Give another file")


_REMEDY = "Choose the list's alphabet with --alphabet."


def table(found: Found, alphabet: Alphabet, *, coded: bool) -> tuple[bytes, Mapping[int, str]]:
    """Return the number in ``alphabet`` for each letter of the file, 0 to 255, and the texts of letters on no tile by their numbers; 0: an unused letter.

    Raises ``BadWordFile``: it is another alphabet, or the file does not name its letters and is to be read as ``coded``.
    """
    if found.letters is None:
        if coded:
            raise BadWordFile(expected="letters, which --coded reads", found="tiles by their numbers", remedy="Leave --coded out")
        order, highest = _order(found, alphabet), max(found.siblings.used)
        if highest > len(order):
            raise BadWordFile(expected=f"the {len(order)} tiles of {alphabet.name}", found=f"tile {highest}", remedy=_REMEDY)
        return bytes((0, *order)).ljust(256, b"\0"), {}
    tiles = _numbers(alphabet, coded=coded)
    numbers, strange = bytearray(256), dict[int, str]()
    for letter, text in found.letters.items():
        number = tiles.get(quackle.bare(text), 0)
        if not number:
            number = TILES_IN_ALPHABET + 1 + len(strange)
            strange[number] = text
        if number in numbers:
            raise BadWordFile(
                expected=f"one letter for the tile {alphabet.tiles[number - 1].text}", found=f"{text!r} as well", remedy=_REMEDY
            )
        numbers[letter] = number
    missing = [tile.text for number, tile in enumerate(alphabet.tiles, 1) if tile.count and number not in numbers]
    if found.whole and missing:
        raise BadWordFile(expected=f"the tiles of {alphabet.name}", found=f"an alphabet without {missing[0]}", remedy=_REMEDY)
    return bytes(numbers), strange


def doubt(found: Found, alphabet: Alphabet) -> str | None:
    """Return a doubt about reading the file in ``alphabet``, or None: if tiles are numbers, an alphabet of fewer tiles would fit too."""
    highest, tiles = max(found.siblings.used), len(_order(found, alphabet))
    if found.letters is not None or highest == tiles:
        return None
    return f"a list in another alphabet (its highest tile is {highest}, and {alphabet.name} has {tiles})"


def _order(found: Found, alphabet: Alphabet) -> tuple[int, ...]:
    """Return the tiles in the order in which a file without names numbers them."""
    return quackle.order(alphabet) if found.format is Format.QUACKLE0 else tuple(range(1, len(alphabet.tiles) + 1))


def _numbers(alphabet: Alphabet, *, coded: bool) -> dict[str, int]:
    """Return tile numbers by text, by typed forms of a single tile (Spanish 1 for CH), and by coded ones if they are to be read."""
    numbers = {tile.text: number for number, tile in enumerate(alphabet.tiles, 1)}
    typed = {text: numbers[tiles[0]] for text, tiles in alphabet.typed.items() if len(tiles) == 1}
    return typed | numbers | ({text: numbers[tile] for text, tile in alphabet.coded.items()} if coded else {})


LARGEST = 7 * MAX_NODES + HEAD
"""The largest binary file, in bytes: the most nodes of the largest size, and a header."""

_CHECKSUMS = ("-Checksums.txt", "-checksums.txt")
"""Suffixes of the file beside a ``.dwg``, of current and older Zyzzyvas."""

_CHECKSUMS_READ = 64
"""In bytes: enough for two lines of at most five digits."""


class WordFile(Struct, frozen=True):
    """A word file. ``found`` is None for our own files and texts, which other modules read. ``claimed``: the caller named the format."""

    path: Path
    format: Format
    found: Found | None = None
    claimed: bool = False


class ReadWords(Struct, frozen=True):
    """The words of a file in an alphabet's tiles: iteration yields each once, one byte per tile, in no defined order. ``notes`` are sentences for the user.

    ``strange``: the letters on no tile, by the numbers that stand for them in the words.
    """

    siblings: Siblings
    numbers: bytes
    notes: tuple[str, ...]
    strange: Mapping[int, str]

    def __iter__(self) -> Iterator[bytes]:
        return (word.translate(self.numbers) for word in self.siblings)


def open_word_file(path: Path, claimed: Format | None = None) -> WordFile:
    """Open the word file ``path`` and recognise its format; if ``claimed`` is given, it must be that format.

    Raises:
        Unreadable: the file is missing or unreadable.
        BadWordFile: its format is unknown or ambiguous, or it is damaged, a list of reversed words, or contradicts its checksum file.
    """
    with _named(path):
        data = _contents(path, claimed)
        if isinstance(data, Format):
            return WordFile(path, data, claimed=claimed is not None)
        found = FINDERS[claimed](data) if claimed else recognise(data)
        if found.format is Format.ZYZZYVA:
            found = replace(found, notes=_beside(path, data))
    return WordFile(path, found.format, found, claimed=claimed is not None)


def read(file: WordFile, alphabet: Alphabet, *, coded: bool = False) -> ReadWords:
    """Read the words of another program's file in ``alphabet``; ``coded``: by its ``coded`` letters too.

    Raises ``BadWordFile``: its letters are not those of ``alphabet``, or it is ambiguous and no format was named; ``ValueError``: it is our own or a text.
    """
    found = file.found
    if found is None:
        raise ValueError(f"expected a file of another program, found {file.format.value}")
    with _named(file.path):
        numbers, strange = table(found, alphabet, coded=coded)
        doubts = [*found.doubts, *filter(None, [doubt(found, alphabet)])]
        if doubts and not file.claimed:
            raise BadWordFile(
                expected="an unambiguous file",
                found=f"what could be {doubts[0]} too",
                remedy=f"If it is not, add --from {found.format.value}",
            )
    named = () if found.letters else (f"The file does not name its alphabet: read as {alphabet.name}.",)
    return ReadWords(found.siblings, numbers, named + found.notes, strange)


def _contents(path: Path, claimed: Format | None) -> bytes | Format:
    with _file(path) as file:
        head = file.read(HEAD)
        is_format = claimed or by_beginning(head)
        if is_format and is_format not in FINDERS:
            return is_format
        data = head + file.read(LARGEST + 1 - len(head))
    if len(data) > LARGEST:
        raise BadWordFile(expected=f"at most {LARGEST:,} bytes", found="more", remedy="Give a word file")
    return data


def _beside(path: Path, data: bytes) -> tuple[str, ...]:
    if path.stem.lower().endswith("-r"):
        raise zyzzyva.reversed_list()
    for beside in (path.with_name(path.stem + ending) for ending in _CHECKSUMS):
        if beside.exists():
            with _file(beside) as file:
                zyzzyva.check(data, file.read(_CHECKSUMS_READ))
            return ("The checksum beside it matches; it covers a quarter of the file.",)
    return (f"There is no {path.stem}{_CHECKSUMS[0]} beside it: unknown whether it was changed or lists reversed words.",)


@contextmanager
def _file(path: Path) -> Iterator[BinaryIO]:
    try:
        with open_regular(path) as file:
            yield file
    except (OSError, ValueError) as error:
        if isinstance(error, LexiconError):
            raise
        raise Unreadable(where=path, expected="a word file", found=reason(error), remedy="Give a readable file") from error


@contextmanager
def _named(path: Path) -> Iterator[None]:
    try:
        yield
    except BadWordFile as error:
        error.locate(path)
        raise


def files(to: Format, dawg: Dawg, alphabet: Alphabet, path: Path) -> Mapping[Path, bytes]:
    """Return the files to write of a graph with words, by path, for the format ``to``: one file ``path``, or the three of Zyzzyva.

    Raises:
        TooLarge: too many words, nodes or letters for the format.
        BadAlphabet: the format cannot represent the alphabet's tiles.
        BadName: for Zyzzyva, a name that means reversed words.
    """
    if to is Format.KWG:
        return {path: kwg.write(dawg)}
    if to is Format.QUACKLE:
        return {path: quackle.write(dawg, alphabet)}
    if path.stem.lower().endswith("-r"):
        raise BadName(
            where=path, expected="a name without -R, which marks Zyzzyva's reversed lists", found=path.stem, remedy="Choose another"
        )
    beside = (path, path.with_name(f"{path.stem}-R{path.suffix}"), path.with_name(f"{path.stem}-Checksums.txt"))
    return dict(zip(beside, zyzzyva.write(dawg, alphabet), strict=True))
