"""Zyzzyva's ``.dwg`` and its companions: ``NAME.dwg``, ``NAME-R.dwg`` with every word reversed, ``NAME-Checksums.txt``.

A ``.dwg`` (``DawgCreator``, ``WordGraph.cpp``) is a 32-bit little-endian count of edges, then the edges, numbered from 1: the index of the child list in bits 0
to 20, bit 21 not used, "last sibling" in bit 22, "a word ends" in bit 23, the letter above, in Latin-1. The first list is padded to 256 edges. The checksums
are CRC-16/X-25 in decimal, one line per file; they cover as many bytes as there are edges: a quarter of the file. Zyzzyva only warns of a wrong one.
"""

import binascii
from array import array

from lexicon.alphabet import Alphabet
from lexicon.dawg import ENDS as EDGE_ENDS
from lexicon.dawg import NEXT, Dawg, minimal, words_of
from lexicon.dawg import TILE as EDGE_TILE
from lexicon.errors import BadAlphabet, BadWordFile, TooLarge
from lexicon.formats.kwg import INDEX, NODE_ENDS, NODE_LAST, NODE_TILE, widened
from lexicon.formats.siblings import Census, Format, Found, no_words

EDGES = (1 << 21) - 1

_NOT_USED = 1 << 21
_FIRST_LIST = 256
_REVERSED_BITS = bytes(int(f"{byte:08b}"[::-1], 2) for byte in range(256))


def fits(data: bytes) -> bool:
    """Return whether ``data`` starts like a ``.dwg``: with the number of edges that follow."""
    return len(data) >= 8 and len(data) == 4 * int.from_bytes(data[:4], "little") + 4


def find(data: bytes) -> Found:
    """Check the edges of a ``.dwg``; raises ``BadWordFile`` if it is damaged, another kind of file, or has no words."""
    if not fits(data):
        raise BadWordFile(
            expected="a Zyzzyva .dwg file",
            found="that its count of edges does not fit its size: cut, or no such file",
            remedy="Copy it again",
        )
    edges = array("I", data)
    edges[0] = 0
    if not edges[1] >> INDEX:
        raise no_words()
    if len(edges) > EDGES + 1 or any(edge & _NOT_USED for edge in edges):
        raise BadWordFile(
            expected="Zyzzyva's edges", found="one with a bit set that is not used: damaged, or no such file", remedy="Copy it again"
        )
    census = Census(widened(edges), ordered=False)
    words = census.siblings(1)
    if any(edges[at] & ~NODE_LAST for at in census.unreached()):
        raise BadWordFile(
            expected="that all edges belong to words", found="some that do not: damaged, or no Zyzzyva .dwg file", remedy="Copy it again"
        )
    return Found(Format.ZYZZYVA, words, {letter: chr(letter) for letter in words.used})


def checksum(data: bytes) -> int:
    """Return the checksum of a ``.dwg``, 0 to 65535."""
    covered = data[4 : 4 + len(data) // 4 - 1]
    # X-25 is CRC-CCITT with the bits of every byte and of the result reversed.
    crc = binascii.crc_hqx(covered.translate(_REVERSED_BITS), 0xFFFF)
    return int(f"{crc:016b}"[::-1], 2) ^ 0xFFFF


def check(data: bytes, checksums: bytes) -> None:
    """Check a ``.dwg`` against ``checksums``, the text of the file beside it.

    Raises ``BadWordFile``: it does not match, matches as the reversed list, or the text has no checksums.
    """
    lines = checksums.split()[:2]
    if not lines or any(not line.isdigit() or len(line) > 5 for line in lines):
        raise BadWordFile(expected="checksums in decimal in the file beside it", found="other text", remedy="Copy both files again")
    found, *expected = checksum(data), *map(int, lines)
    if found == expected[0]:
        return
    if found in expected[1:]:
        raise reversed_list()
    raise BadWordFile(expected=f"the checksum {expected[0]} in the file beside it", found=str(found), remedy="Copy both files again")


def reversed_list() -> BadWordFile:
    return BadWordFile(expected="words", found="Zyzzyva's list of reversed words", remedy="Give the .dwg without -R")


def write(dawg: Dawg, alphabet: Alphabet) -> tuple[bytes, bytes, bytes]:
    """Return the files of ``dawg``: the ``.dwg``, its reversed twin, the checksums.

    Raises:
        BadAlphabet: a tile of ``alphabet`` is no letter A to Z.
        TooLarge: there are more edges than an index can address.
    """
    letters = "".join(tile.text for tile in alphabet.tiles)
    if len(letters) != len(alphabet.tiles) or not (letters.isascii() and letters.isalpha() and letters.isupper()):
        raise BadAlphabet(expected="an alphabet of letters A to Z for Zyzzyva", found=alphabet.name, remedy="Choose another format")
    backwards = minimal(sorted(word[::-1] for word in words_of(dawg)))
    forward, back = (_packed(each, letters.encode("ascii")) for each in (dawg, backwards))
    return forward, back, f"{checksum(forward)}\n{checksum(back)}\n".encode("ascii")


def _packed(dawg: Dawg, letters: bytes) -> bytes:
    # In the order of Zyzzyva's own builder, which numbers lists as they are finished.
    places, at = [0] * len(dawg.states), _FIRST_LIST + 1
    for state, edges in enumerate(dawg.states[:-1]):
        places[state] = at if edges else 0
        at += len(edges)
    if at - 1 > EDGES:
        raise TooLarge(
            expected=f"at most {EDGES:,} edges for Zyzzyva", found=f"{at - 1:,}", remedy="Choose another format, or split the list"
        )
    out = [at - 1]
    for edges in (dawg.states[-1], *dawg.states[:-1]):
        out += [
            letters[(edge & EDGE_TILE) - 1] << NODE_TILE | (NODE_ENDS if edge & EDGE_ENDS else 0) | places[edge >> NEXT] for edge in edges
        ]
        out[-1] |= NODE_LAST if edges else 0
        out += [0] * (_FIRST_LIST + 1 - len(out))
    out[_FIRST_LIST] |= NODE_LAST
    return array("I", out).tobytes()
