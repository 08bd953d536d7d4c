"""Lexicon files taken apart, changed and sealed again with hashes that fit, and a slow judge of them; written from FORMAT.md alone."""

from __future__ import annotations

import struct
from hashlib import sha256
from unicodedata import normalize
from zlib import crc32

from msgspec import Struct, field
from msgspec.structs import replace

from lexicon.spelling import Spelling, normalised

MAGIC = b"\x89DAWG\r\n\x1a"
ENDS = 0x40
State = tuple[tuple[int, bool, int], ...]
"""Of each edge in order: tile, whether a word ends, base of the next state."""


class Crafted(Struct, frozen=True):
    """Everything that a file says. What is left None is sealed with what fits."""

    names: tuple[bytes, bytes, bytes]
    tiles: tuple[tuple[int, bytes], ...]
    typed: tuple[tuple[bytes, bytes], ...]
    units: tuple[int, ...]
    root: int
    words: int
    states: int
    edges: int
    longest: int
    words_sha256: bytes
    quick: bytes
    payload_sha256: bytes | None = None
    texts_more: bytes = b""
    figures: dict[str, int] = field(default_factory=dict)
    """Units, texts, tiles or typed, where they are to be said wrong."""

    def sealed(self) -> bytes:
        """Return the bytes of the file, its CRC right, and the hash of its units if it is not given."""
        payload = struct.pack(f"<{len(self.units)}I", *self.units)
        texts = b"".join(bytes((len(name),)) + name for name in self.names)
        texts += b"".join(bytes((flags, len(text))) + text for flags, text in self.tiles)
        texts += b"".join(bytes((len(text), len(stands))) + text + stands for text, stands in self.typed) + self.texts_more
        size = (384 + len(texts) + 4 + 63) // 64 * 64
        says = {"units": len(self.units), "texts": len(texts), "tiles": len(self.tiles), "typed": len(self.typed)} | self.figures
        head = MAGIC + struct.pack("<II", 1, size)
        head += struct.pack("<5I", says["units"], self.words, self.states, self.edges, self.root)
        head += struct.pack("<4I", says["texts"], self.longest, says["tiles"], says["typed"]) + bytes(12)
        head += (self.payload_sha256 or sha256(payload).digest()) + self.words_sha256 + self.quick + texts
        return resealed(head.ljust(size, b"\0")) + payload

    def counted(self) -> Crafted:
        """Return this with figures and the hash of the words that fit its units, where it holds any words that can be listed."""
        graph = _graph(self)
        listed = None if graph is None else _listed(graph, self.root)
        if graph is None or not listed:
            return self
        spelling = self._spelling()
        return replace(
            self,
            words=len(listed),
            states=len(graph),
            edges=sum(1 for unit in self.units if unit),
            longest=max(map(len, listed)),
            words_sha256=_canonical(spelling, listed),
            quick=spelling.quick,
        )

    def _spelling(self) -> Spelling:
        typed = {text.decode(): stands for text, stands in self.typed}
        always, joined = ([number for number, (flags, _) in enumerate(self.tiles, 1) if flags & flag] for flag in (1, 2))
        return Spelling([text.decode() for _, text in self.tiles], typed, always, joined)


def resealed(header: bytes) -> bytes:
    return header[:-4] + struct.pack("<I", crc32(header[:-4]))


def taken_apart(data: bytes) -> Crafted:
    (size,) = struct.unpack_from("<I", data, 12)
    units, words, states, edges, root, _, longest, tiles, typed = struct.unpack_from("<9I", data, 16)
    at, names, laid, stands = 384, [], [], []
    for _ in range(3):
        names.append(data[at + 1 : at + 1 + data[at]])
        at += 1 + data[at]
    for _ in range(tiles):
        laid.append((data[at], data[at + 2 : at + 2 + data[at + 1]]))
        at += 2 + data[at + 1]
    for _ in range(typed):
        length, count = data[at : at + 2]
        stands.append((data[at + 2 : at + 2 + length], data[at + 2 + length : at + 2 + length + count]))
        at += 2 + length + count
    return Crafted(
        names=(names[0], names[1], names[2]),
        tiles=tuple(laid),
        typed=tuple(stands),
        units=struct.unpack_from(f"<{units}I", data, size),
        root=root,
        words=words,
        states=states,
        edges=edges,
        longest=longest,
        words_sha256=data[96:128],
        quick=data[128:384],
    )


def true_words(crafted: Crafted) -> list[bytes] | None:
    """Return the words of a file whose alphabet, units, counts and hash of words are as FORMAT.md asks; None if they are not. For small files."""
    graph = _graph(crafted)
    if graph is None or len(set(graph.values())) != len(graph):
        return None
    listed = _listed(graph, crafted.root)
    if not listed or sum(map(len, graph.values())) != sum(1 for unit in crafted.units if unit):
        return None
    spelling = crafted._spelling()
    fits = (
        (crafted.words, crafted.states, crafted.longest) == (len(listed), len(graph), max(map(len, listed)))
        and crafted.edges == sum(map(len, graph.values()))
        and crafted.words_sha256 == _canonical(spelling, listed)
        and crafted.quick == spelling.quick
        and _is_alphabet(crafted)
        and not any(_breaks_up_a_tile(crafted, word) for word in listed)
    )
    return listed if fits else None


def _is_alphabet(crafted: Crafted) -> bool:
    """Whether the tiles and the typed forms are as "Texts" asks."""
    tiles = [text.decode() for _, text in crafted.tiles]
    typed = [text.decode() for text, _ in crafted.typed]
    return (
        all(normalised(text) == text for text in (*tiles, *typed))
        and all(flags in range(4) for flags, _ in crafted.tiles)
        and len(set(tiles)) == len(tiles)
        and typed == sorted(set(typed))
        and all(normalize("NFC", left + right) == left + right for left in tiles for right in tiles)
        and all(set(text).difference(*tiles) for text in typed)
    )


def _breaks_up_a_tile(crafted: Crafted, word: bytes) -> bool:
    """Whether tiles side by side in ``word`` read as one that is always laid whole."""
    whole = {text for flags, text in crafted.tiles if flags & 1}
    texts = [crafted.tiles[tile - 1][1] for tile in word]
    return any(b"".join(texts[at:end]) in whole for at in range(len(texts)) for end in range(at + 2, min(at + 4, len(texts)) + 1))


def _graph(crafted: Crafted) -> dict[int, State] | None:
    """The states that are led to from the root, by their bases; None if one has no edges, or the units break a rule."""
    units, tiles = crafted.units, len(crafted.tiles)
    if crafted.root < 1 or any(unit and (unit & 0x80 or not 1 <= unit & 0x3F <= tiles) for unit in units):
        return None
    graph: dict[int, State] = {}
    ahead = [crafted.root]
    while ahead:
        base = ahead.pop()
        inside = ((tile, units[base + tile]) for tile in range(1, tiles + 1) if base + tile < len(units))
        graph[base] = tuple((tile, bool(unit & ENDS), unit >> 8) for tile, unit in inside if unit & 0x3F == tile)
        if not graph[base]:
            return None
        ahead += {to for _, _, to in graph[base] if to and to not in graph}
    return graph


def _listed(graph: dict[int, State], root: int) -> list[bytes] | None:
    """All words in order; None if there is a circle, a way without a word at its end, a state that leads to the root, or more than a small file has."""
    listed: list[bytes] = []
    ahead = [(b"", root)]
    while ahead:
        path, base = ahead.pop()
        if len(path) > len(graph) or len(listed) > 5000 or len(ahead) > 5000:
            return None
        for tile, ends, to in reversed(graph[base]):
            if to:
                ahead.append((path + bytes((tile,)), to))
            elif not ends:
                return None
        listed += [path + bytes((tile,)) for tile, ends, _ in graph[base] if ends]
    return sorted(listed)


def _canonical(spelling: Spelling, listed: list[bytes]) -> bytes:
    return sha256("".join(f"{spelling.text(word)}\n" for word in listed).encode()).digest()
