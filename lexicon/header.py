"""The head of a lexicon file: what list it is, in which alphabet, how much follows, and the hashes it must have. FORMAT.md has every byte.

Read at every opening, so it imports little, and the alphabet is taken apart only when asked for. Nothing in here is believed before the checksum over it
was found right; nothing in it is used as an offset before it was held against the file's size.
"""

from zlib import crc32

from lexicon.errors import Damaged, NotALexicon, misfit
from lexicon.limits import TILES_IN_ALPHABET, TILES_IN_WORD, TILES_TO_READ, WORDS_IN_LEXICON

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lexicon.spelling import Spelling

MAGIC = b"\x89DAWG\r\n\x1a"
"""As PNG's: not text, and broken by every transfer that takes it for text."""

VERSION = 1

ALIGNED = 64
"""The units begin at a multiple of this many bytes."""

LARGEST = 1 << 16
"""Bytes that a header may have: more than any alphabet needs, few enough to be read without a thought."""

_MOST_UNITS = (1 << 24) + 64
"""A base has 24 bits."""

# Version, bytes of the header, units, words, states, edges, root, bytes of texts, longest, tiles, typed: 4 bytes each.
_NUMBERS_AT = 8
_SIZE_AT = _NUMBERS_AT + 4
_NUMBERS_END = _NUMBERS_AT + 11 * 4
_PAYLOAD_SHA256_AT, _WORDS_SHA256_AT, _QUICK_AT, _TEXTS_AT = 64, 96, 128, 384
_CHECKSUM = 4


class Header:
    """What a lexicon file says of itself.

    ``size`` bytes, then ``units`` of 4 bytes; ``root`` is the base of the first state. ``payload_sha256`` is of the units' bytes, ``words_sha256`` of the
    canonical list: each word's canonical text, in the file's order, in UTF-8, with a line feed after it. ``longest`` counts tiles, ``tiles`` those of the alphabet.
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
        """Take apart ``data``, the whole header.

        Raises:
            Damaged: its checksum does not fit, or its parts do not fit each other.
        """
        if crc32(data[:-_CHECKSUM]) != int.from_bytes(data[-_CHECKSUM:], "little"):
            raise Damaged(
                expected="a header that fits its checksum", found="one that does not: the file was changed or cut", remedy="Copy it anew"
            )
        self.data = data
        # In this machine's order of bytes, which ``Mapped`` makes sure is the file's. By hand: the struct module takes longer to load than this to run.
        numbers = memoryview(data)[_NUMBERS_AT:_NUMBERS_END].cast("I")
        _, self.size, self.units, self.words, self.states, self.edges, self.root, texts, self.longest, self.tiles, typed = numbers
        self.payload_sha256, self.words_sha256 = data[_PAYLOAD_SHA256_AT:_WORDS_SHA256_AT], data[_WORDS_SHA256_AT:_QUICK_AT]
        self.quick, end = data[_QUICK_AT:_TEXTS_AT], _TEXTS_AT + texts
        if not (0 < self.root < self.units <= _MOST_UNITS and 0 < self.tiles <= TILES_IN_ALPHABET):
            raise misfit("its figures")
        if self.words > WORDS_IN_LEXICON or self.longest > TILES_IN_WORD or self.words * self.longest > TILES_TO_READ:
            raise misfit("its counts")
        if self.size != len(data) or end > self.size - _CHECKSUM:
            raise misfit("its sizes")
        try:
            at, (self.name, self.edition, self.alphabet) = _names(data[:end])
        except (IndexError, UnicodeDecodeError) as error:
            raise misfit("its names") from error
        # They are shown on screens as they are.
        if at > end or not (self.name + self.edition + self.alphabet).isprintable():
            raise misfit("its names")
        self._alphabet = (data[at:end], typed)

    @property
    def short_hash(self) -> str:
        """The first 8 hex digits of the canonical list's hash: enough to tell editions apart at a glance."""
        return self.words_sha256[:4].hex()

    def spelling(self) -> "Spelling":
        """Return how words are laid with the tiles of the file's alphabet.

        Raises:
            Damaged: the header's tiles are no alphabet.
        """
        from lexicon.header_tiles import unpack_tiles  # noqa: PLC0415 - words of plain letters do without it

        data, typed = self._alphabet
        return unpack_tiles(data, self.tiles, typed)


def header_size(beginning: bytes, file_size: int) -> int:
    """Return how many bytes the header has that a file of ``file_size`` bytes begins with; ``beginning`` is its first 16 bytes or more, or all it has.

    Raises:
        NotALexicon: it is another kind of file, or of a version not read here.
        Damaged: there is not as much as it says, or it says what no builder writes.
    """
    if not beginning or beginning[: len(MAGIC)] != MAGIC[: len(beginning)]:
        raise NotALexicon(
            expected="a lexicon file", found=_kind(beginning), remedy="Build one with tilelexicon build, or convert another program's"
        )
    if len(beginning) < _SIZE_AT + 4:
        raise Damaged(expected="a lexicon file", found=f"only its first {file_size} bytes", remedy="Copy it anew")
    version, size = int.from_bytes(beginning[_NUMBERS_AT:_SIZE_AT], "little"), int.from_bytes(beginning[_SIZE_AT : _SIZE_AT + 4], "little")
    if version != VERSION:
        raise NotALexicon(
            expected=f"a lexicon file of version {VERSION}",
            found=f"version {version}",
            remedy="Update this program, or build the file with it",
        )
    if size % ALIGNED or not _TEXTS_AT < size <= LARGEST:
        raise Damaged(expected=f"a header of at most {LARGEST} bytes", found=f"{size}: the file was changed", remedy="Copy it anew")
    if file_size < size:
        raise Damaged(expected=f"a header of {size} bytes", found=f"a file of {file_size}: it was cut", remedy="Copy it anew")
    return size


def pack_header(
    *,
    names: tuple[str, str, str],
    spelling: "Spelling",
    figures: tuple[int, int, int, int, int, int],
    payload_sha256: bytes,
    words_sha256: bytes,
) -> bytes:
    """Return the header of a file, to its checksum.

    Args:
        names: of the lexicon, its edition and its alphabet.
        spelling: the alphabet's.
        figures: units, words, states, edges, root and longest, as in ``Header``.
        payload_sha256: 32 bytes.
        words_sha256: 32 bytes.
    """
    from lexicon.header_tiles import pack_tiles  # noqa: PLC0415 - for builders only

    units, words, states, edges, root, longest = figures
    texts = b"".join(map(_text, names)) + pack_tiles(spelling)
    size = -(-(_TEXTS_AT + len(texts) + _CHECKSUM) // ALIGNED) * ALIGNED
    numbers = (VERSION, size, units, words, states, edges, root, len(texts), longest, len(spelling.tiles), len(spelling.typed))
    begin = MAGIC + b"".join([number.to_bytes(4, "little") for number in numbers])
    data = begin.ljust(_PAYLOAD_SHA256_AT, b"\0") + payload_sha256 + words_sha256 + spelling.quick + texts
    data = data.ljust(size - _CHECKSUM, b"\0")
    return data + crc32(data).to_bytes(_CHECKSUM, "little")


def _names(data: bytes) -> tuple[int, list[str]]:
    """The three names, and where they end."""
    at, names = _TEXTS_AT, []
    for _ in range(3):
        length = data[at]
        names.append(data[at + 1 : at + 1 + length].decode())
        at += 1 + length
    return at, names


def _text(text: str) -> bytes:
    """A text of at most 255 bytes, its length before it."""
    data = text.encode()
    return bytes((len(data),)) + data


def _kind(beginning: bytes) -> str:
    """What a file that is no lexicon seems to be, by its first bytes."""
    if not beginning:
        return "an empty file"
    if not any(beginning):
        return "only zeros"
    return "a text file" if all(byte >= 0x20 or byte in b"\t\r\n" for byte in beginning) else "another kind of file"
