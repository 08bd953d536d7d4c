"""The header of a lexicon file: names, alphabet, sizes and hashes. FORMAT.md describes every byte.

Read at every opening, so it imports little and decodes the alphabet only on demand. Nothing in it is trusted before its checksum is verified, and no number is
used as an offset before it is checked against the file's size.
"""

from zlib import crc32

from faults.errors import Phrase
from lexicon.errors import TILES_IN_ALPHABET, TILES_IN_WORD, TILES_TO_READ, WORDS_IN_LEXICON, Damaged, NotALexicon, inconsistent_header

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lexicon.spelling import Spelling

MAGIC = b"\x89DAWG\r\n\x1a"
"""Like PNG's: not text, and broken by every transfer in text mode."""

VERSION = 1

ALIGNED = 64
"""The units start at a multiple of this, in bytes."""

LARGEST = 1 << 16
"""The largest header, in bytes: more than any alphabet needs, and quick to read."""

_MAX_UNITS = (1 << 24) + 64
"""A base has 24 bits."""

# Version, bytes of the header, units, words, states, edges, root, bytes of texts, longest, tiles, typed: 4 bytes each.
_NUMBERS_AT = 8
_SIZE_AT = _NUMBERS_AT + 4
_NUMBERS_END = _NUMBERS_AT + 11 * 4
_PAYLOAD_SHA256_AT, _WORDS_SHA256_AT, _QUICK_AT, _TEXTS_AT = 64, 96, 128, 384
_CHECKSUM = 4


class Header:
    """The header's fields.

    The file has a header of ``size`` bytes, then ``units`` units of 4 bytes; ``root`` is the base of the first state. ``payload_sha256`` is the hash of the units,
    ``words_sha256`` that of the canonical list: each word's canonical text in the file's order, in UTF-8, followed by a line feed. ``longest`` is the longest word's
    number of tiles, ``tiles`` the alphabet's.
    """

    name: str
    edition: str
    alphabet: str
    size: int
    units: int
    root: int
    words: int
    states: int
    edges: int
    longest: int
    tiles: int
    quick: bytes
    payload_sha256: bytes
    words_sha256: bytes
    data: bytes
    _alphabet: tuple[bytes, int]
    __slots__ = tuple(__annotations__)

    def __init__(self, data: bytes) -> None:
        """Parse ``data``, the whole header; raises ``Damaged`` if its checksum is wrong, or its parts contradict each other."""
        if crc32(data[:-_CHECKSUM]) != int.from_bytes(data[-_CHECKSUM:], "little"):
            raise Damaged(
                expected="a header that fits its checksum", found="one that does not: the file was changed or cut", remedy="Copy it again"
            )
        self.data = data
        # In this machine's byte order, which ``Lexicon`` checks. Without the struct module, which takes longer to load than this to run.
        numbers = memoryview(data)[_NUMBERS_AT:_NUMBERS_END].cast("I")
        _, self.size, self.units, self.words, self.states, self.edges, self.root, texts, self.longest, self.tiles, typed = numbers
        self.payload_sha256, self.words_sha256 = data[_PAYLOAD_SHA256_AT:_WORDS_SHA256_AT], data[_WORDS_SHA256_AT:_QUICK_AT]
        self.quick, end = data[_QUICK_AT:_TEXTS_AT], _TEXTS_AT + texts
        if not (0 < self.root < self.units <= _MAX_UNITS and 0 < self.tiles <= TILES_IN_ALPHABET):
            raise inconsistent_header("its figures")
        if self.words > WORDS_IN_LEXICON or self.longest > TILES_IN_WORD or self.words * self.longest > TILES_TO_READ:
            raise inconsistent_header("its counts")
        if self.size != len(data) or end > self.size - _CHECKSUM:
            raise inconsistent_header("its sizes")
        try:
            at, (self.name, self.edition, self.alphabet) = _names(data[:end])
        except (IndexError, UnicodeDecodeError) as error:
            raise inconsistent_header("its names") from error
        # Screens show them unchanged.
        if at > end or not (self.name + self.edition + self.alphabet).isprintable():
            raise inconsistent_header("its names")
        self._alphabet = (data[at:end], typed)

    @property
    def short_hash(self) -> str:
        """The first 8 hex digits of the canonical list's hash: enough to distinguish editions."""
        return self.words_sha256[:4].hex()

    def spelling(self) -> "Spelling":
        """Return the spelling of the file's alphabet; raises ``Damaged`` if the header's tiles are not a valid alphabet."""
        from lexicon.spelling import unpack_tiles  # noqa: PLC0415 - not needed for words of plain letters

        data, typed = self._alphabet
        return unpack_tiles(data, self.tiles, typed)


def header_size(beginning: bytes, file_size: int) -> int:
    """Return the header's size in bytes, for a file of ``file_size`` bytes; ``beginning`` is at least its first 16 bytes, or all of it.

    Raises:
        NotALexicon: it is another kind of file or an unsupported version.
        Damaged: the file is shorter than its header says, or the header's size is impossible.
    """
    if not beginning or beginning[: len(MAGIC)] != MAGIC[: len(beginning)]:
        raise NotALexicon(
            expected="a lexicon file", found=_kind(beginning), remedy="Build one with tilelexicon build, or convert another program's"
        )
    if len(beginning) < _SIZE_AT + 4:
        raise Damaged(expected="a lexicon file", found=Phrase("only its first {size} bytes", size=file_size), remedy="Copy it again")
    version, size = int.from_bytes(beginning[_NUMBERS_AT:_SIZE_AT], "little"), int.from_bytes(beginning[_SIZE_AT : _SIZE_AT + 4], "little")
    if version != VERSION:
        raise NotALexicon(
            expected=Phrase("a lexicon file of version {version}", version=VERSION),
            found=Phrase("version {version}", version=version),
            remedy="Update this program, or build the file with it",
        )
    if size % ALIGNED or not _TEXTS_AT < size <= LARGEST:
        raise Damaged(
            expected=Phrase("a header of at most {size} bytes", size=LARGEST),
            found=Phrase("{size}: the file was changed", size=size),
            remedy="Copy it again",
        )
    if file_size < size:
        raise Damaged(
            expected=Phrase("a header of {size} bytes", size=size),
            found=Phrase("a file of {size}: it was cut", size=file_size),
            remedy="Copy it again",
        )
    return size


def pack_header(
    *,
    names: tuple[str, str, str],
    spelling: "Spelling",
    figures: tuple[int, int, int, int, int, int],
    payload_sha256: bytes,
    words_sha256: bytes,
) -> bytes:
    """Return a file's header, including its checksum.

    ``names``: name, edition, alphabet id. ``figures``: units, words, states, edges, root and longest, as in ``Header``.
    """
    from lexicon.spelling import pack_tiles  # noqa: PLC0415 - for builders only

    units, words, states, edges, root, longest = figures
    texts = b"".join(map(_text, names)) + pack_tiles(spelling)
    size = -(-(_TEXTS_AT + len(texts) + _CHECKSUM) // ALIGNED) * ALIGNED
    numbers = (VERSION, size, units, words, states, edges, root, len(texts), longest, len(spelling.tiles), len(spelling.typed))
    begin = MAGIC + b"".join([number.to_bytes(4, "little") for number in numbers])
    data = begin.ljust(_PAYLOAD_SHA256_AT, b"\0") + payload_sha256 + words_sha256 + spelling.quick + texts
    data = data.ljust(size - _CHECKSUM, b"\0")
    return data + crc32(data).to_bytes(_CHECKSUM, "little")


def _names(data: bytes) -> tuple[int, list[str]]:
    at, names = _TEXTS_AT, []
    for _ in range(3):
        length = data[at]
        names.append(data[at + 1 : at + 1 + length].decode())
        at += 1 + length
    return at, names


def _text(text: str) -> bytes:
    """Return a text of at most 255 bytes with its length before it."""
    data = text.encode()
    return bytes((len(data),)) + data


def _kind(beginning: bytes) -> str:
    if not beginning:
        return "an empty file"
    if not any(beginning):
        return "only zeros"
    return "a text file" if all(byte >= 0x20 or byte in b"\t\r\n" for byte in beginning) else "another kind of file"
