import random
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from lexicon import Lexicon
from lexicon.alphabet import Alphabet, load_alphabet
from lexicon.errors import Damaged
from tests.cells import each_cell
from tests.examples import examples
from tests.lexicon.crafting import Crafted, taken_apart, true_words
from tests.lexicon.making import alphabet, alphabets, built, example, words_in

ENDS = 0x40


def edge(to: int, tile: int, *, ends: bool = False) -> int:
    return to << 8 | (ENDS if ends else 0) | tile


def units(at: dict[int, int]) -> tuple[int, ...]:
    return tuple(at.get(index, 0) for index in range(max(at) + 1))


@settings(max_examples=examples(200))
@given(data=st.data())
def test_what_is_built_is_verified(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    of: Alphabet = data.draw(alphabets())
    path = tmp_path_factory.getbasetemp() / "verified.dawg"
    built(path, data.draw(words_in(of, longest=12)), of)
    with Lexicon.open(path) as lexicon:
        lexicon.verify()
    assert true_words(taken_apart(path.read_bytes())) is not None


def crafted(path: Path, **changed: Any) -> Crafted:
    return replace(taken_apart(example(path).read_bytes()), **changed)


def refused(path: Path, file: Crafted) -> str:
    path.write_bytes(file.sealed())
    with pytest.raises(Damaged) as refusal, Lexicon.open(path) as lexicon:
        lexicon.verify()
    said = str(refusal.value)
    assert said.count(str(path)) == 1
    return said


SAID = [
    ("payload_sha256", bytes(32), "the SHA-256 of the units"),
    ("words_sha256", bytes(32), "the SHA-256 of the words"),
    ("names", (b"EXAMPLE", b"2026-13", b"example"), "an edition's date"),
    ("names", (b" EXAMPLE", b"", b"example"), "a printable name of 1 to 100 bytes"),
    ("names", ("E\u0301".encode(), b"", b"example"), "a printable name of 1 to 100 bytes"),
    ("quick", b"\xff" * 256, "the header that a builder writes"),
    ("words", 5, "the number of words"),
    ("words", 0, "the number of words"),
    ("longest", 5, "the tiles of the longest word"),
    ("longest", 3, "no word longer"),
    ("longest", 0, "no word longer"),
    ("states", 4, "the number of states"),
    ("edges", 7, "the number of edges"),
    ("root", 2, "lead to all states"),
    ("tiles", ((0, b"a"), (1, b"CH"), (0, b"S"), (0, b"T")), "its tiles"),
    ("tiles", ((0, b"A\xcc\x81"), (1, b"CH"), (0, b"S"), (0, b"T")), "its tiles"),
    ("typed", ((b"x", b"\x01"),), "in capitals"),
    ("typed", (("\u0131".encode(), b"\x01"),), "in capitals"),
    ("typed", ((b"X", b"\x01"),), "the header that a builder writes"),
    ("tiles", ((0, b"A"), (1, b"CH"), (0, b"S")), "the header that a builder writes"),
]


def test_a_file_that_says_something_else_of_itself_than_it_holds_is_refused(tmp_path: Path) -> None:
    for cell in each_cell(SAID):
        with cell as (field, value, said):
            assert said in refused(tmp_path / "x.dawg", crafted(tmp_path / "x.dawg", **{field: value}))


WHOLE = {
    2: edge(2, 1),
    3: edge(3, 2),
    4: edge(4, 1, ends=True),
    6: edge(0, 4, ends=True),
    8: edge(6, 4, ends=True),
    9: edge(0, 3, ends=True),
}
"""The units of the example."""


BROKEN = {
    "back to the root": {6: edge(1, 4, ends=True)},
    "a state that leads to itself": {6: edge(2, 4, ends=True)},
    "a circle of two states": {9: edge(4, 3, ends=True)},
    "a dead end": {6: edge(0, 4)},
    "out of the file": {6: edge(0xFFFFFF, 4, ends=True)},
    "a state without edges, at the end": {6: edge(9, 4, ends=True)},
    "an edge that nothing leads to": {9: edge(0, 3, ends=True), 12: edge(0, 2, ends=True)},
    "an unreached circle": {12: edge(10, 2, ends=True)},
    "bit 7 set": {2: edge(2, 1) | 0x80},
    "a tile that the alphabet has not": {5: edge(0, 5, ends=True)},
    "an edge without a tile": {5: edge(2, 0)},
}
COUNTED: list[tuple[dict[str, Any], str]] = [
    # A leads to base 4, whose own unit is an edge of tile 0 to base 5: no look-up comes by there, and the list would be one word short.
    (
        {
            "units": {2: edge(4, 1), 4: edge(5, 0), 5: edge(0, 1, ends=True), 6: edge(0, 1, ends=True), 7: edge(0, 3, ends=True)},
            "words": 3,
            "states": 3,
            "edges": 5,
            "longest": 3,
            "words_sha256": sha256(b"AA\nAA\nAS\n").digest(),
        },
        "without a tile",
    ),
    ({"units": WHOLE | {5: edge(0, 3)}, "edges": 7}, "every way to end in a word"),
    ({"units": WHOLE | {12: edge(10, 2, ends=True)}, "states": 6, "edges": 7}, "states that words pass through"),
    # A and CH lead to two states, from each of which T ends a word.
    (
        {
            "units": {2: edge(2, 1), 3: edge(3, 2), 6: edge(0, 4, ends=True), 7: edge(0, 4, ends=True)},
            "words": 2,
            "states": 3,
            "edges": 4,
            "longest": 2,
            "words_sha256": sha256(b"AT\nCHT\n").digest(),
        },
        "different states",
    ),
]


def test_a_graph_that_breaks_a_rule_is_refused_even_where_all_counts_fit(tmp_path: Path) -> None:
    path = tmp_path / "x.dawg"
    for cell in each_cell(BROKEN.items(), lambda broken: broken[0]):
        with cell as (_, edges):
            refused(path, crafted(path, units=units(WHOLE | edges)).counted())
    for counted in each_cell(COUNTED, lambda case: case[1]):
        with counted as (changed, said):
            assert said in refused(path, crafted(path, **{**changed, "units": units(changed["units"])}))


def relabelled(path: Path, words: list[bytes], tiles: list[tuple[int, str]], typed: dict[str, bytes]) -> Crafted:
    built(path, words, alphabet(chr(0x4E00 + number) for number in range(len(tiles))))
    return replace(
        taken_apart(path.read_bytes()),
        tiles=tuple((flags, text.encode()) for flags, text in tiles),
        typed=tuple((text.encode(), stands) for text, stands in sorted(typed.items())),
    ).counted()


def test_a_word_that_breaks_up_a_tile_is_refused_though_all_counts_fit(tmp_path: Path) -> None:
    spanish = load_alphabet("spanish")
    tiles = [(int(tile.always), tile.text) for tile in spanish.tiles]
    numbers = {tile.text: bytes((number,)) for number, tile in enumerate(spanish.tiles, 1)}
    whole = relabelled(tmp_path / "x.dawg", [numbers["CH"] + numbers["O"]], tiles, dict(spanish.spelling.typed))
    (tmp_path / "x.dawg").write_bytes(whole.sealed())
    with Lexicon.open(tmp_path / "x.dawg") as lexicon:
        lexicon.verify()
    broken = relabelled(tmp_path / "x.dawg", [numbers["C"] + numbers["H"] + numbers["O"]], tiles, dict(spanish.spelling.typed))
    assert "one that splits a tile" in refused(tmp_path / "x.dawg", broken)


@settings(max_examples=examples(300), deadline=None)
@given(
    tiles=st.lists(
        st.tuples(st.integers(0, 1), st.sampled_from(("A", "C", "H", "CH", "CHA", "HA", "AA", "E", "\u0301"))),
        min_size=3,
        max_size=6,
        unique_by=lambda tile: tile[1],
    ),
    typed=st.dictionaries(st.sampled_from(("1", "\u00d1", "1H", "C\u00d1", "AH", "HC")), st.sampled_from((b"\1", b"\2\3")), max_size=2),
    words=st.lists(st.lists(st.integers(1, 3), min_size=1, max_size=5).map(bytes), min_size=1, max_size=6),
)
def test_a_crafted_alphabet_is_whole_just_where_a_plain_reading_finds_it_so(
    tmp_path_factory: pytest.TempPathFactory, tiles: list[tuple[int, str]], typed: dict[str, bytes], words: list[bytes]
) -> None:
    path = tmp_path_factory.getbasetemp() / "relabelled.dawg"
    data = relabelled(path, words, tiles, typed).sealed()
    path.write_bytes(data)
    if true_words(taken_apart(data)) is None:
        with pytest.raises(Damaged), Lexicon.open(path) as lexicon:
            lexicon.verify()
    else:
        with Lexicon.open(path) as lexicon:
            lexicon.verify()


_VERIFY = "import resource, sys; from lexicon import Lexicon; resource.setrlimit(resource.RLIMIT_AS, (250 << 20,) * 2); Lexicon.open(sys.argv[1]).verify()"


def test_words_of_hundreds_of_tiles_are_verified_in_bounded_memory(tmp_path: Path) -> None:
    # 600 beginnings of 200 tiles, each with 26 endings: those of every state on the way would be 330 MB.
    drawn = random.Random(5)  # noqa: S311 - words, not secrets
    beginnings = [bytes(drawn.choices(range(1, 27), k=200)) for _ in range(600)]
    built(tmp_path / "x.dawg", [beginning + bytes((last,)) for beginning in beginnings for last in range(1, 27)])
    done = subprocess.run([sys.executable, "-c", _VERIFY, tmp_path / "x.dawg"], capture_output=True, text=True, check=False, timeout=30)
    assert (done.returncode, done.stderr) == (0, "")
