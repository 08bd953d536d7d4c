"""The header of a lexicon file: its layout, names and limits."""

from __future__ import annotations

import random
import re
import struct
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import lexicon
from lexicon.alphabet import Alphabet
from lexicon.dawg import BASE, ENDS, NEXT, TILE, Dawg, PlacedUnits, minimal, place
from lexicon.errors import BadName, Damaged, NotALexicon, TooLarge
from lexicon.header import LARGEST, Header, header_size, pack_header
from lexicon.verify import check_names
from tests.cells import each_cell
from tests.errors import with_fields
from tests.lexicon.crafting import MAGIC, Crafted, resealed, taken_apart
from tests.lexicon.making import EXAMPLE, alphabets, example

FIGURES = (10, 4, 5, 6, 1, 4)
A, B = bytes(range(32)), bytes(range(32, 64))


@pytest.fixture
def whole(tmp_path: Path) -> bytes:
    return example(tmp_path / "x.dawg").read_bytes()


def test_the_example_of_the_format_document_is_built_to_the_byte(whole: bytes) -> None:
    document = (Path(lexicon.__file__).parent / "FORMAT.md").read_text(encoding="utf-8").split("## Example")[1]
    rows = re.findall(r"^([0-9A-F]{3}) ((?: {1,2}[0-9A-F]{2})+)", document, re.MULTILINE)
    assert [int(at, 16) for at, _ in rows if int(at, 16) not in {0x080, 0x180, 0x19B}] == [
        0x000,
        0x010,
        0x020,
        0x030,
        0x040,
        0x060,
        0x1A8,
        0x1BC,
    ]
    for at, row in rows:
        said = bytes.fromhex(row)
        assert whole[int(at, 16) :].startswith(said), f"from {at} on"
    units = {int(number): int(unit, 16) for number, unit in re.findall(r"unit (\d+) = 0x([0-9A-F]{8})", document)}
    assert struct.unpack("<10I", whole[0x1C0:]) == tuple(units.get(number, 0) for number in range(10))
    assert whole[0x180:0x1AD] == b"\x07EXAMPLE\x0a2026-11-21\x07example\x00\x01A\x01\x02CH\x00\x01S\x00\x01T\x02\x01\xc3\x81\x01"
    assert len(whole) == 488


@given(st.text("PRÁCTICE·", max_size=20), st.sampled_from(["", "2026", "2026-11-21"]))
def test_what_is_packed_is_read_again(name: str, edition: str) -> None:
    spelling = EXAMPLE.spelling
    data = pack_header(names=(name, edition, "example"), spelling=spelling, figures=FIGURES, payload_sha256=A, words_sha256=B)
    header = Header(data)
    assert (header.name, header.edition, header.alphabet) == (name, edition, "example")
    assert (header.units, header.words, header.states, header.edges, header.root, header.longest) == FIGURES
    assert (header.payload_sha256, header.words_sha256, header.short_hash) == (A, B, "20212223")
    assert header.size == len(data) == header_size(data[:16], len(data))
    assert len(data) % 64 == 0


@given(alphabets())
def test_an_alphabet_in_a_header_is_the_alphabet_that_was_packed(of: Alphabet) -> None:
    spelling = of.spelling
    data = pack_header(names=("X", "", "x"), spelling=spelling, figures=FIGURES, payload_sha256=A, words_sha256=B)
    again = Header(data).spelling()
    assert (again.tiles, again.typed, again.always, again.quick) == (spelling.tiles, spelling.typed, spelling.always, spelling.quick)


OTHER_KINDS = [
    (b"", "an empty file"),
    (bytes(16), "only zeros"),
    (b"AARDVARK\r\nABACUS", "a text file"),
    (b"\x1f\x8b\x08\x00\x00\x00\x00\x00", "another kind of file"),
    (b"\0\1" * 8, "another kind of file"),
    (MAGIC.replace(b"\r\n", b"\n"), "another kind of file"),
]


def test_another_kind_of_file_is_called_what_it_is() -> None:
    for cell in each_cell(OTHER_KINDS):
        with cell as (beginning, found), pytest.raises(NotALexicon, check=with_fields(found=found)):
            header_size(beginning, 5000)


@pytest.mark.parametrize("version", [0, 2, 0xFFFFFFFF])
def test_another_version_is_not_read(version: int) -> None:
    with pytest.raises(NotALexicon, check=with_fields(expected="a lexicon file of version 1", found=f"version {version}")):
        header_size(MAGIC + struct.pack("<II", version, 448), 5000)


@pytest.mark.parametrize("size", [0, 64, 384, 447, 449, LARGEST + 64, 0xFFFFFFC0])
def test_a_header_of_a_size_that_none_has_is_refused(size: int) -> None:
    with pytest.raises(Damaged, check=with_fields(found=f"{size}: the file was changed")):
        header_size(MAGIC + struct.pack("<II", 1, size), 1 << 33)


def test_a_header_longer_than_the_file_is_refused() -> None:
    with pytest.raises(Damaged, check=with_fields(expected="a header of 448 bytes", found=re.compile("a file of 447"))):
        header_size(MAGIC + struct.pack("<II", 1, 448), 447)
    with pytest.raises(Damaged, check=with_fields(found="only its first 12 bytes")):
        header_size(MAGIC + b"\1\0\0\0", 12)


def test_a_header_that_does_not_fit_its_checksum_is_refused(whole: bytes) -> None:
    header = bytearray(whole[:448])
    header[447] ^= 1
    with pytest.raises(Damaged, check=with_fields(expected=re.compile("fits its checksum"))):
        Header(bytes(header))


def crafted(whole: bytes, **changed: object) -> bytes:
    sealed = Crafted(**{**vars(taken_apart(whole)), **changed}).sealed()
    return sealed[: int.from_bytes(sealed[12:16], "little")]


NONSENSE: list[dict[str, Any]] = [
    {"root": 0},
    {"root": 10},
    {"root": 11},
    {"words": (1 << 24) + 1},
    {"words": 1 << 24, "longest": 17},
    {"words": 1, "longest": 256},
    {"figures": {"units": (1 << 24) + 65}},
    {"figures": {"units": 0}},
    {"figures": {"texts": 65}},
    {"figures": {"texts": 0xFFFF}},
    {"figures": {"tiles": 0}},
    {"figures": {"tiles": 64}},
    {"names": (b"\xff", b"", b"")},
    {"names": (b"\x1b[2J", b"", b"")},
    {"names": (b"X", b"\n", b"")},
    {"figures": {"texts": 3}},
    {"figures": {"texts": 0}},
]


def test_a_header_sealed_with_nonsense_is_refused(whole: bytes) -> None:
    for cell in each_cell(NONSENSE):
        with cell as changed, pytest.raises(Damaged, check=with_fields(expected=re.compile("as a builder writes it"))):
            Header(crafted(whole, **changed))


def test_a_header_that_goes_to_every_limit_is_read(whole: bytes) -> None:
    figures = {"units": (1 << 24) + 64}
    header = Header(crafted(whole, words=1 << 24, longest=16, root=9, figures=figures))
    assert (header.units, header.words, header.longest, header.root) == ((1 << 24) + 64, 1 << 24, 16, 9)
    assert Header(crafted(whole, words=1 << 20, longest=255, root=9)).longest == 255


def test_a_name_that_is_longer_than_the_header_is_refused(whole: bytes) -> None:
    header = bytearray(whole[:448])
    header[384:388] = b"\xff\xff\xff\xff"
    with pytest.raises(Damaged, check=with_fields(found=re.compile("its names do not fit"))):
        Header(resealed(bytes(header)))


TILES = ((0, b"A"), (1, b"CH"), (0, b"S"), (0, b"T"))


NO_ALPHABETS: list[dict[str, Any]] = [
    {"tiles": (*TILES[:3], (0, b"A"))},
    {"tiles": (*TILES[:3], (0, b""))},
    {"tiles": (*TILES[:3], (0, b"\xff"))},
    {"tiles": (*TILES[:3], (0, b"\n"))},
    {"tiles": (*TILES[:3], (0, b"[T]"))},
    {"tiles": (*TILES[:3], (0, b"A" * 17))},
    {"tiles": (*TILES[:3], (0, "\u0301".encode()))},
    {"typed": ((b"A", b"\x01"),)},
    {"typed": ((b"CA", b"\x01"),)},
    {"typed": ((b"X", b"\x05"),)},
    {"typed": ((b"X", b"\x00"),)},
    {"typed": ((b"X", b""),)},
    {"typed": ((b"", b"\x01"),)},
    {"typed": ((b"\xff", b"\x01"),)},
    {"typed": ((b"Y", b"\x01"), (b"X", b"\x01"))},
    {"typed": ((b"X", b"\x01"), (b"X", b"\x02"))},
    {"texts_more": b"\0"},
    {"figures": {"typed": 2}},
    {"figures": {"typed": 0}},
    {"figures": {"typed": 0xFFFF}},
    {"figures": {"tiles": 5}},
    {"figures": {"tiles": 63}},
]


def test_a_sealed_header_whose_tiles_are_no_alphabet_is_refused(whole: bytes) -> None:
    for cell in each_cell(NO_ALPHABETS):
        with cell as changed, pytest.raises(Damaged, check=with_fields(found=re.compile("its tiles do not fit"))):
            Header(crafted(whole, **changed)).spelling()


def test_a_tile_that_could_be_laid_in_endless_ways_is_refused_before_any_is_tried(whole: bytes) -> None:
    tiles = ((0, b"A"), (0, b"AA"), (1, b"A" * 255))
    with pytest.raises(Damaged, check=with_fields(found=re.compile("its tiles"))):
        Header(crafted(whole, tiles=tiles)).spelling()


@given(st.lists(st.tuples(st.integers(16, 443), st.integers(0, 255)), min_size=1, max_size=8))
def test_whatever_is_sealed_is_read_or_refused(tmp_path_factory: pytest.TempPathFactory, changes: list[tuple[int, int]]) -> None:
    data = bytearray(example(tmp_path_factory.getbasetemp() / "header.dawg").read_bytes()[:448])
    for at, byte in changes:
        data[at] = byte
    with suppress(Damaged):
        assert len(Header(resealed(bytes(data))).spelling().tiles) in range(1, 64)


WORDS = st.sets(st.lists(st.integers(1, 63), min_size=1, max_size=7).map(bytes), min_size=1, max_size=80)
FEW_TILES = st.sets(st.lists(st.integers(1, 3), min_size=1, max_size=7).map(bytes), min_size=1, max_size=80)


def bases(dawg: Dawg, placed: PlacedUnits) -> dict[int, int]:
    """The base of each state, found by going along the graph and the units together; each edge is looked at on the way."""
    found, ahead = {dawg.root: placed.root}, [dawg.root]
    while ahead:
        state = ahead.pop()
        for edge in dawg.states[state]:
            unit, to = placed.units[found[state] + (edge & TILE)], edge >> NEXT
            assert unit & (TILE | ENDS) == edge & (TILE | ENDS)
            assert unit & 0x80 == 0
            if to == 0:
                assert unit >> BASE == 0
            elif to not in found:
                found[to] = unit >> BASE
                ahead.append(to)
            assert unit >> BASE == found.get(to, 0)
    return found


def assert_well_placed(dawg: Dawg, placed: PlacedUnits) -> None:
    found = bases(dawg, placed)
    assert min(found.values()) >= 1
    assert len(set(found.values())) == len(found) == len(dawg.states) - 1
    assert sum(1 for unit in placed.units if unit) == dawg.edges
    assert placed.units[-1] != 0


@given(WORDS | FEW_TILES)
def test_each_state_has_a_base_of_its_own_and_each_edge_its_unit(words: set[bytes]) -> None:
    dawg = minimal(sorted(words))
    assert_well_placed(dawg, place(dawg))


def passed_by(dawg: Dawg, words: set[bytes]) -> Counter[int]:
    """How many words pass through each state, by going along each word."""
    passing: Counter[int] = Counter()
    for word in words:
        state = dawg.root
        for tile in word:
            passing[state] += 1
            state = next(edge >> NEXT for edge in dawg.states[state] if edge & TILE == tile)
    return passing


@given(WORDS | FEW_TILES)
def test_the_states_that_most_words_pass_through_take_the_lowest_bases_that_are_free(words: set[bytes]) -> None:
    dawg = minimal(sorted(words))
    placed = place(dawg)
    lies_at, passing = bases(dawg, placed), passed_by(dawg, words)
    used: set[int] = set()
    taken: set[int] = {0}
    for state in sorted(passing, key=lambda state: (-passing[state], -state)):
        tiles = [edge & TILE for edge in dawg.states[state]]
        fits = (at for at in range(len(placed.units)) if at not in taken and not used & {at + tile for tile in tiles})
        assert lies_at[state] == next(fits)
        taken.add(lies_at[state])
        used |= {lies_at[state] + tile for tile in tiles}


def test_a_list_far_wider_than_the_window_is_placed_as_tightly_as_a_small_one() -> None:
    drawn = random.Random(1)  # noqa: S311 - words, not secrets
    words = {bytes(drawn.choices(range(1, 27), k=drawn.randint(2, 9))) for _ in range(20_000)}
    dawg = minimal(sorted(words))
    placed = place(dawg)
    assert_well_placed(dawg, placed)
    assert len(placed.units) > 1 << 15
    assert len(placed.units) < 1.1 * dawg.edges


def test_a_graph_that_needs_more_bases_than_there_are_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    # The true limit of 24 bits takes half a minute to reach.
    dawg = minimal([bytes([1] * 30)])
    monkeypatch.setattr("lexicon.dawg._BASES", 31)
    assert max(bases(dawg, place(dawg)).values()) == 30
    monkeypatch.setattr("lexicon.dawg._BASES", 30)
    with pytest.raises(TooLarge, check=with_fields(expected=re.compile("at most 30 bases"), found="one that needs 31")):
        place(dawg)


def test_a_date_or_none_is_an_edition() -> None:
    for cell in each_cell(["", "2026", "2026-11", "2026-11-21", "2024-02-29", "0001"]):
        with cell as edition:
            check_names("Club list", edition)


def test_what_is_no_date_is_no_edition() -> None:
    for cell in each_cell(
        ["0000", "2026-00", "2026-13", "2026-02-30", "2025-02-29", "26", "2026-1", "hello", "2026-11-21 ", "٢٠٢٦", "20260101"]
    ):
        with cell as edition, pytest.raises(BadName, check=with_fields(expected=re.compile("an edition's date"))):
            check_names("Club list", edition)


@pytest.mark.parametrize("name", ["A", "Cercle d'Évreux", "x" * 100])
def test_what_can_be_shown_is_a_name(name: str) -> None:
    check_names(name, "")


def test_what_cannot_be_shown_or_told_apart_is_no_name() -> None:
    for cell in each_cell(["", " ", " Club", "Club ", "Club\nlist", "E\u0301vreux", "x" * 101, "\x1b[2J", "\udc80", "a\u202eb"]):
        with cell as name, pytest.raises(BadName, check=with_fields(expected=re.compile("a printable name of 1 to 100 bytes"))):
            check_names(name, "")
