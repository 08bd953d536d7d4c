import os
import re
import struct
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

import lexicon
from lexicon import Lexicon, LexiconError
from lexicon.alphabet import Alphabet
from lexicon.errors import Damaged, NotALexicon
from lexicon.header import Header, header_size, pack_header
from tests.appliance.records.refusing import open_folder
from tests.cells import each_cell
from tests.errors import with_fields
from tests.examples import THOROUGH, examples
from tests.lexicon.crafting import resealed, taken_apart, true_words
from tests.lexicon.fuzz.mutating import asked, mutated, recrafted
from tests.lexicon.making import EXAMPLE, alphabets, example

__all__ = ["open_folder"]
FIGURES = (10, 4, 5, 6, 1, 4)

A, B = bytes(range(32)), bytes(range(32, 64))


@pytest.fixture
def whole(tmp_path: Path) -> bytes:
    return example(tmp_path / "x.dawg").read_bytes()


def test_the_example_of_the_format_document_is_built_to_the_byte(whole: bytes) -> None:
    document = (Path(lexicon.__file__).parent / "FORMAT.md").read_text(encoding="utf-8").split("## Example")[1]
    rows = re.findall(r"^([0-9A-F]{3}) ((?: {1,2}[0-9A-F]{2})+)", document, re.MULTILINE)
    assert " ".join(at for at, _ in rows if at not in {"080", "180", "19B"}) == "000 010 020 030 040 060 1A8 1BC"
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
    assert [again.tiles, again.typed, again.always, again.joined, again.quick] == [
        spelling.tiles,
        spelling.typed,
        spelling.always,
        spelling.joined,
        spelling.quick,
    ]


def crafted(whole: bytes, **changed: Any) -> bytes:
    sealed = replace(taken_apart(whole), **changed).sealed()
    return sealed[: int.from_bytes(sealed[12:16], "little")]


NONSENSE: list[dict[str, Any]] = [
    {"root": 0},
    {"root": 10},
    {"words": (1 << 24) + 1},
    {"words": 1 << 24, "longest": 17},
    {"words": 1, "longest": 256},
    {"figures": {"units": (1 << 24) + 65}},
    {"figures": {"units": 0}},
    {"figures": {"texts": 65}},
    {"figures": {"tiles": 0}},
    {"figures": {"tiles": 64}},
    {"names": (b"\xff", b"", b"")},
    {"names": (b"\x1b[2J", b"", b"")},
    {"names": (b"X", b"\n", b"")},
    {"figures": {"texts": 3}},
    {"figures": {"texts": 0}},
]


def test_a_header_sealed_with_nonsense_is_refused_and_one_that_goes_to_every_limit_is_read(whole: bytes) -> None:
    for cell in each_cell(NONSENSE):
        with cell as changed, pytest.raises(Damaged, check=with_fields(expected=re.compile("as a builder writes it"))):
            Header(crafted(whole, **changed))
    # A name that is longer than the header is refused.
    with pytest.raises(Damaged, check=with_fields(found=re.compile("its names do not fit"))):
        Header(resealed(whole[:384] + b"\xff" * 4 + whole[388:448]))
    # A header that goes to every limit is read.
    figures = {"units": (1 << 24) + 64}
    header = Header(crafted(whole, words=1 << 24, longest=16, root=9, figures=figures))
    assert (header.units, header.words, header.longest, header.root) == ((1 << 24) + 64, 1 << 24, 16, 9)
    assert Header(crafted(whole, words=1 << 20, longest=255, root=9)).longest == 255


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
    {"typed": ((b"X", b"\x01\x00"),)},
    {"typed": ((b"X", b""),)},
    {"typed": ((b"", b"\x01"),)},
    {"typed": ((b"\xff", b"\x01"),)},
    {"typed": ((b"Y", b"\x01"), (b"X", b"\x01"))},
    {"typed": ((b"X", b"\x01"), (b"X", b"\x02"))},
    {"texts_more": b"\0"},
    {"figures": {"typed": 2}},
    {"figures": {"typed": 0}},
    {"figures": {"tiles": 5}},
]


def test_a_sealed_header_whose_tiles_are_no_alphabet_is_refused(whole: bytes) -> None:
    for cell in each_cell(NO_ALPHABETS):
        with cell as changed, pytest.raises(Damaged, check=with_fields(found=re.compile("its tiles do not fit"))):
            Header(crafted(whole, **changed)).spelling()
    # A tile that could be laid in endless ways is refused before any is tried.
    tiles = ((0, b"A"), (0, b"AA"), (1, b"A" * 255))
    with pytest.raises(Damaged, check=with_fields(found=re.compile("its tiles"))):
        Header(crafted(whole, tiles=tiles)).spelling()


HEADER = 448


def refusal(path: Path) -> LexiconError:
    with pytest.raises(LexiconError) as refused, Lexicon.open(path) as lexicon:
        lexicon.verify()
    assert str(refused.value).startswith(f"{path}: expected ")
    return refused.value


def test_a_file_cut_at_any_length_or_with_bytes_after_its_end_is_refused(tmp_path: Path, whole: bytes) -> None:
    cut = tmp_path / "cut.dawg"
    for length in range(len(whole)):
        cut.write_bytes(whole[:length])
        with pytest.raises(NotALexicon if length == 0 else Damaged) as refused:
            Lexicon.open(cut)
        assert str(refused.value).startswith(f"{cut}: expected ")
    for more in (b"\0", b"\n", bytes(4), b"more", bytes(64), bytes(1 << 20)):
        cut.write_bytes(whole + more)
        assert f"expected 488 bytes, found {488 + len(more)}: the file was cut or added to" in str(refusal(cut))


def test_a_file_with_any_one_bit_flipped_is_refused(tmp_path: Path, whole: bytes) -> None:
    flipped = tmp_path / "flipped.dawg"
    opened = 0
    bits = range(0, 8 * len(whole), 1 if THOROUGH else 7)
    for bit in bits:
        data = bytearray(whole)
        data[bit // 8] ^= 1 << bit % 8
        flipped.write_bytes(data)
        with suppress(LexiconError), Lexicon.open(flipped):
            opened += 1
            assert bit >= 8 * HEADER
        assert not asked(flipped)
    # In the header each is found at once; in the units they are the hash's to find.
    assert opened == sum(bit >= 8 * HEADER for bit in bits)


def other_files(whole: bytes) -> Iterator[tuple[bytes, str]]:
    yield b"", "an empty file"
    yield bytes(5000), "only zeros"
    yield b"AARDVARK\nABACUS\n", "a text file"
    yield whole.replace(b"\r\n", b"\n"), "another kind of file"
    yield whole.replace(b"\n", b"\r\n"), "another kind of file"
    yield whole[1:], "another kind of file"
    yield b"\xff\xd8\xff\xe0" + bytes(100), "another kind of file"


def test_another_file_under_a_lexicons_name_is_called_what_it_is(tmp_path: Path, whole: bytes) -> None:
    for content, called in other_files(whole):
        (tmp_path / "x.dawg").write_bytes(content)
        refused = refusal(tmp_path / "x.dawg")
        assert isinstance(refused, NotALexicon)
        assert f"found {called}. Build one with tilelexicon build, or convert another program's." in str(refused)
    # A huge hollow file is refused without reading it.
    (tmp_path / "x.dawg").write_bytes(whole)
    os.truncate(tmp_path / "x.dawg", 1 << 36)
    assert "found 68719476736" in str(refusal(tmp_path / "x.dawg"))
    (tmp_path / "y.dawg").touch()
    os.truncate(tmp_path / "y.dawg", 1 << 36)
    assert "only zeros" in str(refusal(tmp_path / "y.dawg"))


FUZZED = 400
BYTES = st.lists(st.tuples(st.integers(0, 487), st.integers(0, 255)), max_size=6)
EDGES = st.builds(
    lambda to, low: to << 8 | low, st.integers(0, 12) | st.integers(0, (1 << 24) - 1), st.integers(0, 0x45) | st.integers(0, 255)
)
UNITS = st.lists(st.tuples(st.integers(0, 9), st.just(0) | EDGES), max_size=4)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("fuzz")


@pytest.fixture(scope="module")
def unspoiled(folder: Path) -> bytes:
    return example(folder / "example.dawg").read_bytes()


@settings(max_examples=examples(FUZZED))
@given(BYTES, st.integers(0, 1000), st.booleans())
def test_changed_bytes_are_refused_or_answered(
    folder: Path, unspoiled: bytes, changes: list[tuple[int, int]], cut: int, seal: bool
) -> None:
    data = mutated(unspoiled, changes, cut, seal=seal)
    (folder / "x.dawg").write_bytes(data)
    found_whole = asked(folder / "x.dawg")
    # Without a new seal, only what was not changed at all is unspoiled.
    assert seal or found_whole == (data == unspoiled)


@settings(max_examples=examples(FUZZED))
@given(UNITS, st.none() | st.integers(0, 12), st.booleans())
def test_crafted_units_are_whole_just_where_a_plain_reading_finds_them_so(
    folder: Path, unspoiled: bytes, changes: list[tuple[int, int]], root: int | None, count: bool
) -> None:
    data = recrafted(unspoiled, changes, root, count=count).sealed()
    (folder / "y.dawg").write_bytes(data)
    assert asked(folder / "y.dawg") == (true_words(taken_apart(data)) is not None)
