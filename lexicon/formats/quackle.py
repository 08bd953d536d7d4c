"""Quackle's ``.dawg``, versions 1 and 0: 7 bytes per node; version 1 has a header with hash, word count and alphabet.

A node (``dawgfactory.cpp``, ``lexiconparameters.cpp``): the index of its child list, big-endian in 3 bytes; a byte with the letter's index in the alphabet in
its low bits (6; in version 0: 5, and "a word ends" in bit 5), "last sibling" in bit 6, "in the smaller dictionary too" in bit 7; the playability in 3 bytes, which
in version 1 is not 0 where a word ends. Node 0 leads to node 1; a few nodes may belong to no word, since Quackle's own builder leaves some. Version 0 has
neither count nor alphabet.

The order of letters is that of Quackle's own alphabet (``data/alphabets``), not the file's, and not always ours. Its Norwegian and Swedish alphabets differ in
order from those of wolges, and the Norwegian lacks Ä, Ö and Ü. Of our other alphabets Quackle has the same order (English, French, Polish) or none.
"""

import hashlib
from collections.abc import Iterable, Sequence

from lexicon.alphabet import Alphabet
from lexicon.dawg import ENDS as EDGE_ENDS
from lexicon.dawg import NEXT, Dawg, words_of
from lexicon.dawg import TILE as EDGE_TILE
from lexicon.errors import BadAlphabet, BadWordFile, TooLarge
from lexicon.formats.siblings import CHILD, ENDS, LAST, MAX_NODES, TILE, Census, Format, Found, Siblings, no_words

_ORDERS = {"norwegian": "ABCDEFGHIJKLMNOPQRSTUVWXYZÆØÅ", "swedish": "ABCDEFGHIJKLMNOPQRSTUVWXYZÅÄÖÆÜ"}


def order(alphabet: Alphabet) -> tuple[int, ...]:
    numbers = {tile.text: number for number, tile in enumerate(alphabet.tiles, 1)}
    letters = _ORDERS.get(alphabet.id, "")
    # A user's alphabet may have the id of a shipped one and other tiles.
    return tuple(numbers[letter] for letter in letters) if letters and numbers.keys() >= set(letters) else tuple(numbers.values())


def bare(letter: str) -> str:
    """Return the tile of a letter as Quackle writes it: several characters between bars, |CH| (``quackleio/util.h``)."""
    return letter[1:-1] if len(letter) > 2 and letter[0] == letter[-1] == "|" else letter


WORDS = (1 << 24) - 1
LETTERS = 55
"""Quackle's own limit; six bits would hold more (``alphabetparameters.h``)."""

_ROOT = bytes.fromhex("000001fc000000")
_EMPTY = bytes.fromhex("000000fc000000")
_LAST, _SMALLER, _ENDS_0 = 64, 128, 32
_HASH, _COUNT, _SIZE, _ALPHABET = 1, 17, 20, 21
_STRAY = 10
"""At most one node in so many may belong to no word. Quackle's builder leaves some: 29 of 113,309 in a file of 116,705 words."""

_LONGEST_TEXT = 64

_HASHED = bytes((number + 4) & 0xFF for number in range(256))
"""Quackle numbers letters from 5, after the blank and four marks."""


def fits(data: bytes) -> bool:
    """Return whether ``data`` starts like version 1: an alphabet, then node 0."""
    if data[:1] != b"\x01":
        return False
    _, at = _alphabet(data)
    return at > 0 and data[at : at + 7] in (_ROOT, _EMPTY)


def fits_0(data: bytes) -> bool:
    """Return whether ``data`` starts like version 0: with node 0."""
    return data[:7] in (_ROOT, _EMPTY)


def find(data: bytes) -> Found:
    """Check a file of version 1, its count and its hash; raises ``BadWordFile`` if it is damaged, another kind of file, or has no words."""
    if not fits(data):
        raise BadWordFile(
            expected="a Quackle .dawg file of version 1", found="that its header is none", remedy="Leave out --from, or give another file"
        )
    letters, at = _alphabet(data)
    nodes = data[at:]
    _require_whole_nodes(nodes)
    words = _checked(nodes, [any(nodes[at : at + 3]) for at in range(4, len(nodes), 7)], 0x3F, len(letters))
    count = int.from_bytes(data[_COUNT:_SIZE], "big")
    if count != words.words:
        raise BadWordFile(expected=f"{count:,} words, as the file says", found=f"{words.words:,}", remedy="Copy it again")
    if _hash(words) != data[_HASH:_COUNT]:
        raise BadWordFile(expected="words that fit the file's hash", found="others: damaged", remedy="Copy it again")
    return Found(Format.QUACKLE, words, dict(enumerate(letters, 1)), whole=True)


def find_0(data: bytes) -> Found:
    """Check a file of version 0; raises ``BadWordFile`` as ``find``."""
    if not fits_0(data):
        raise BadWordFile(
            expected="a Quackle .dawg file of version 0",
            found="that its first node is not that",
            remedy="Leave out --from, or give another file",
        )
    _require_whole_nodes(data)
    words = _checked(data, [bool(byte & _ENDS_0) for byte in data[3::7]], 0x1F, 32)
    return Found(Format.QUACKLE0, words, notes=("Quackle's version 0 has no checksum: compare the count of words with its maker's.",))


def write(dawg: Dawg, alphabet: Alphabet) -> bytes:
    """Return the version 1 file of ``dawg``, with letters in the order of Quackle's own alphabet.

    Raises:
        TooLarge: too many words, nodes or letters.
        BadAlphabet: Quackle's alphabet of the language lacks a used tile.
    """
    tiles, nodes = order(alphabet), dawg.edges + 1
    for what, limit, found in (("words", WORDS, dawg.words), ("nodes", MAX_NODES, nodes), ("letters", LETTERS, len(tiles))):
        if found > limit:
            raise TooLarge(
                expected=f"at most {limit:,} {what} for Quackle", found=f"{found:,}", remedy="Choose another format, or split the list"
            )
    letters = _letters(dawg, alphabet, tiles)
    digest = _hash(word.translate(letters) for word in words_of(dawg))
    texts = [alphabet.tiles[number - 1].text for number in tiles]
    head = (
        b"\x01"
        + digest
        + dawg.words.to_bytes(3, "big")
        + bytes((len(tiles),))
        + "".join(f"{each} " if len(each) == 1 else f"|{each}| " for each in texts).encode()
    )
    places, at = [0] * len(dawg.states), 1
    for state in range(dawg.root, 0, -1):
        places[state] = at
        at += len(dawg.states[state])
    return head + _ROOT + b"".join(_nodes(dawg.states[state], places, letters) for state in range(dawg.root, 0, -1))


def _letters(dawg: Dawg, alphabet: Alphabet, tiles: Sequence[int]) -> bytes:
    """Return the number of each tile's letter, from 1."""
    letters = bytearray(256)
    for letter, tile in enumerate(tiles, 1):
        letters[tile] = letter
    used = {edge & EDGE_TILE for edges in dawg.states for edge in edges}
    lacking = next((tile for tile in sorted(used) if not letters[tile]), None)
    if lacking:
        raise BadAlphabet(
            expected=f"tiles of Quackle's {alphabet.name}", found=alphabet.tiles[lacking - 1].text, remedy="Choose another format"
        )
    return bytes(letters)


def _nodes(edges: Iterable[int], places: Sequence[int], letters: bytes) -> bytes:
    out = bytearray()
    for edge in edges:
        # As Quackle sets them for words from a text: in the smaller dictionary too, playability 1.
        flags, playability = (_SMALLER, 1) if edge & EDGE_ENDS else (0, 0)
        letter = letters[edge & EDGE_TILE] - 1
        out += places[edge >> NEXT].to_bytes(3, "big") + bytes((letter | flags, 0, 0, playability))
    out[-4] |= _LAST
    return bytes(out)


def _checked(data: bytes, ends: list[bool], letter: int, letters: int) -> Siblings:
    """Return the words of the nodes ``data``; ``ends`` flags word ends, ``letter`` masks the letter, ``letters`` is the alphabet's size."""
    if data.startswith(_EMPTY) or len(data) == 7:
        raise no_words()
    edges = [
        high << 16 | middle << 8 | low | (LAST if byte & _LAST else 0) | (ENDS if end else 0) | (byte & letter) + 1 << TILE
        for high, middle, low, byte, end in zip(data[0::7], data[1::7], data[2::7], data[3::7], ends, strict=True)
    ]
    census = Census(edges, ordered=False)
    words = census.siblings(edges[0] & CHILD)
    if max(words.used) > letters:
        raise BadWordFile(
            expected=f"letters of an alphabet of {letters}", found=f"letter {max(words.used)}: damaged", remedy="Copy the file again"
        )
    stray = sum(1 for _ in census.unreached())
    if stray * _STRAY > len(edges):
        raise BadWordFile(
            expected="that all nodes belong to words", found=f"{stray:,} that do not: damaged, or no Quackle file", remedy="Copy it again"
        )
    return words


def _require_whole_nodes(nodes: bytes) -> None:
    if len(nodes) % 7 or len(nodes) > 7 * MAX_NODES:
        raise BadWordFile(
            expected=f"at most {MAX_NODES:,} nodes of 7 bytes",
            found=f"{len(nodes):,} bytes: cut, or no Quackle file",
            remedy="Copy it again",
        )


def _alphabet(data: bytes) -> tuple[list[str], int]:
    """Return the letters' texts in a header and the start of the nodes; no texts and 0 if it is no header."""
    texts, at = [], _ALPHABET
    for _ in range(data[_SIZE] if len(data) > _SIZE else 0):
        end = data.find(b" ", at, at + _LONGEST_TEXT)
        try:
            text = data[at:end].decode() if end > at else ""
        except UnicodeDecodeError:
            text = ""
        if not text.isprintable() or not text:
            return [], 0
        texts.append(text)
        at = end + 1
    return texts, at if texts else 0


def _hash(words: Iterable[bytes]) -> bytes:
    """Return the XOR of all words' MD5, which does not depend on their order."""
    total = 0
    for word in words:
        total ^= int.from_bytes(hashlib.md5(word.translate(_HASHED), usedforsecurity=False).digest(), "big")
    return total.to_bytes(16, "big")
