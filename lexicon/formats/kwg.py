"""KWG, the word graph format of wolges, Woogles and Macondo: just an array of 32-bit little-endian nodes, which Zyzzyva has too.

A node (wolges ``src/kwg.rs``, ``details.txt``): the index of its child list in bits 0 to 21, "last sibling" in bit 22, "a word ends" in bit 23, its tile above.
Node 0 leads to the words. In a file with a GADDAG node 1 leads to it, and tile 0 separates the reversed letters from the rest. Lists may be padded with zero
nodes. Tiles are numbered as in ``alphabets/*.toml``; the file does not name its alphabet.
"""

from array import array
from collections.abc import Sequence

from lexicon.dawg import ENDS as EDGE_ENDS
from lexicon.dawg import NEXT, Dawg, Edges
from lexicon.dawg import TILE as EDGE_TILE
from lexicon.errors import TILES_IN_ALPHABET, BadWordFile, TooLarge
from lexicon.formats.siblings import CHILD, ENDS, LAST, TILE, Census, Format, Found, Siblings, no_words

INDEX = 22

LOW = (1 << INDEX) - 1
NODE_LAST, NODE_ENDS = 1 << 22, 1 << 23
NODE_TILE = 24
"""Shift to the tile or letter."""


def widened(nodes: Sequence[int]) -> list[int]:
    """Return nodes (index in bits 0 to 21, flags and tile above) as edges of ``siblings``."""
    return [node & LOW | node >> INDEX << 24 for node in nodes]


_ROOT = NODE_LAST

NODES = 1 << INDEX


def fits(data: bytes) -> bool:
    """Return whether ``data`` starts like a KWG file: whole nodes, the first one without tile and leading to another."""
    nodes, rest = divmod(len(data), 4)
    return not rest and nodes > 0 and data[3] == 0 and data[2] & 0xC0 == 0x40 and int.from_bytes(data[:3], "little") & LOW < nodes


def fits_node24(data: bytes) -> bool:
    """Return whether ``data`` starts like a Node24 file (wolges ``.kbwg``): like KWG, with tile and flags in the lowest byte."""
    nodes, rest = divmod(len(data), 4)
    return not rest and nodes > 0 and data[0] == 0x40 and int.from_bytes(data[1:4], "little") < nodes


def find(data: bytes) -> Found:
    """Check the nodes of a KWG file; raises ``BadWordFile`` if it is damaged, another kind of file, or has no words."""
    if not fits(data):
        raise BadWordFile(
            expected="a KWG file", found="that its first node does not lead to words", remedy="Leave out --from, or give another file"
        )
    return _found(widened(array("I", data)), "KWG")


def find_node24(data: bytes) -> Found:
    """Check ``data`` as a Node24 file, only to recognise it; raises ``BadWordFile``."""
    return _found([(node & 0x3F) << TILE | (node & 0xC0) << TILE - 8 | node >> 8 for node in array("I", data)], "Node24")


def write(dawg: Dawg) -> bytes:
    """Return the KWG file of ``dawg``, without a GADDAG; raises ``TooLarge`` if it needs more nodes than an index can address."""
    places, lists, at = _shared(dawg.states, sorted(range(1, len(dawg.states)), key=lambda state: -len(dawg.states[state])))
    if at > NODES:
        raise TooLarge(expected=f"at most {NODES:,} nodes for KWG", found=f"{at:,}", remedy="Choose another format, or split the list")
    nodes = [_ROOT | places[dawg.root]]
    for state in lists:
        edges = dawg.states[state]
        nodes += [(edge & EDGE_TILE) << NODE_TILE | (NODE_ENDS if edge & EDGE_ENDS else 0) | places[edge >> NEXT] for edge in edges]
        nodes[-1] |= NODE_LAST
    return array("I", nodes).tobytes()


def _shared(states: Sequence[Edges], order: Sequence[int]) -> tuple[list[int], list[int], int]:
    """Return the place of each state's list, longest first so that shorter lists may share their tails; the states written; the number of nodes."""
    places, lists, at = [0] * len(states), [], 1
    tails: dict[Edges, int] = {}
    for state in order:
        edges = states[state]
        place = tails.get(edges)
        if place is None:
            place = at
            for begin in range(len(edges)):
                tails.setdefault(edges[begin:], at + begin)
            lists.append(state)
            at += len(edges)
        places[state] = place
    return places, lists, at


def _found(edges: Sequence[int], name: str) -> Found:
    root = edges[0] & CHILD
    if not root:
        raise no_words()
    census = Census(edges, ordered=True)
    words = census.siblings(root)
    if not words.used <= set(range(1, TILES_IN_ALPHABET + 1)):
        raise BadWordFile(
            expected=f"tiles 1 to {TILES_IN_ALPHABET}",
            found=f"{min(words.used)} to {max(words.used)}: damaged, or no {name} file",
            remedy="Copy it again",
        )
    doubts = ("a KAD file (not words, but their letters in order)",) if census.climbs() else ()
    gaddag = len(edges) > 1 and edges[1] >> TILE == 0 and edges[1] & LAST and not edges[1] & ENDS
    if gaddag:
        _check_gaddag(census, words)
    stray = sum(1 for at in census.unreached() if edges[at] and not (gaddag and at == 1))
    if stray:
        raise BadWordFile(
            expected="that all nodes belong to words", found=f"{stray:,} that do not: damaged, or no {name} file", remedy="Copy it again"
        )
    return Found(Format.KWG, words, doubts=doubts, notes=("A KWG file has no checksum: compare the count of words with its maker's.",))


def _check_gaddag(census: Census, words: Siblings) -> None:
    """Check that the GADDAG contains every word once per letter (wolges ``src/build.rs``)."""
    root = census.edges[1] & CHILD
    gaddag = census.siblings(root, words.tiles) if root else None
    if (
        gaddag is None
        or gaddag.words != words.tiles
        or not gaddag.used <= words.used | {0}
        or any(not edge >> TILE and edge & ENDS for edge in census.edges[2:])
    ):
        raise BadWordFile(expected="a GADDAG of the same words", found="another: damaged, or no KWG file", remedy="Copy it again")
