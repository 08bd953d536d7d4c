"""A file that was cut, changed, mixed up or made to deceive is refused with a sentence: at its opening, or when it is verified. Nothing crashes or hangs."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from lexicon import Lexicon, LexiconError
from lexicon.errors import Damaged, NotALexicon, Unreadable
from tests.appliance.records.refusing import bound_by_permissions, open_folder
from tests.errors import with_fields
from tests.lexicon.fuzz.mutating import asked
from tests.lexicon.making import ENGLISH, built, coded, example

__all__ = ["open_folder"]

HEADER = 448


@pytest.fixture
def whole(tmp_path: Path) -> bytes:
    return example(tmp_path / "example.dawg").read_bytes()


def refusal(path: Path) -> LexiconError:
    with pytest.raises(LexiconError) as refused, Lexicon.open(path) as lexicon:
        lexicon.verify()
    assert str(refused.value).startswith(f"{path}: expected ")
    return refused.value


def test_a_file_cut_at_any_length_is_refused_at_its_opening(tmp_path: Path, whole: bytes) -> None:
    cut = tmp_path / "cut.dawg"
    for length in range(len(whole)):
        cut.write_bytes(whole[:length])
        with pytest.raises(NotALexicon if length == 0 else Damaged) as refused:
            Lexicon.open(cut)
        assert str(refused.value).startswith(f"{cut}: expected ")


def test_a_file_with_any_one_bit_flipped_is_refused(tmp_path: Path, whole: bytes) -> None:
    flipped = tmp_path / "flipped.dawg"
    opened = 0
    for bit in range(8 * len(whole)):
        data = bytearray(whole)
        data[bit // 8] ^= 1 << bit % 8
        flipped.write_bytes(data)
        with suppress(LexiconError), Lexicon.open(flipped):
            opened += 1
            assert bit >= 8 * HEADER
        assert not asked(flipped)
    # In the header each is found at once; in the units they are the hash's to find.
    assert opened == 8 * (len(whole) - HEADER)


def test_a_bigger_file_with_any_byte_of_its_units_changed_answers_within_bounds_and_is_refused(tmp_path: Path) -> None:
    words = ["TILE", "TILES", "TILED", "RETILE", "RETILES", "CLOCK", "CLOCKS", "RACK", "RACKS", "CLOCKED"]
    built(tmp_path / "x.dawg", coded(words), ENGLISH)
    data = (tmp_path / "x.dawg").read_bytes()
    size = int.from_bytes(data[12:16], "little")
    for at in range(size, len(data)):
        for byte in {data[at] ^ 0xFF, 0, 1, 0x41, 0xFF} - {data[at]}:
            (tmp_path / "y.dawg").write_bytes(data[:at] + bytes((byte,)) + data[at + 1 :])
            with Lexicon.open(tmp_path / "y.dawg") as lexicon:
                for word in words:
                    with suppress(LexiconError):
                        assert (word in lexicon) in {True, False}
                with suppress(LexiconError):
                    assert len(list(lexicon)) <= len(words)
                with pytest.raises(Damaged, check=with_fields(expected=re.compile("SHA-256 of the units"))):
                    lexicon.verify()


@pytest.mark.parametrize("more", [b"\0", b"\n", bytes(4), b"more", bytes(64), bytes(1 << 20)], ids=len)
def test_a_file_with_bytes_after_its_end_is_refused(tmp_path: Path, whole: bytes, more: bytes) -> None:
    (tmp_path / "x.dawg").write_bytes(whole + more)
    assert f"expected 488 bytes, found {488 + len(more)}: the file was cut or added to" in str(refusal(tmp_path / "x.dawg"))


def other_files(whole: bytes) -> Iterator[tuple[bytes, str]]:
    """What may lie under the name of a lexicon, and what it is called."""
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


def test_two_files_one_after_the_other_are_refused(tmp_path: Path, whole: bytes) -> None:
    (tmp_path / "x.dawg").write_bytes(whole * 2)
    assert isinstance(refusal(tmp_path / "x.dawg"), Damaged)


def test_a_huge_hollow_file_is_refused_without_reading_it(tmp_path: Path, whole: bytes) -> None:
    (tmp_path / "x.dawg").write_bytes(whole)
    os.truncate(tmp_path / "x.dawg", 1 << 36)
    assert "found 68719476736" in str(refusal(tmp_path / "x.dawg"))
    (tmp_path / "y.dawg").touch()
    os.truncate(tmp_path / "y.dawg", 1 << 36)
    assert "only zeros" in str(refusal(tmp_path / "y.dawg"))


def test_a_file_that_may_not_be_read_is_a_sentence(open_folder: Path) -> None:
    example(open_folder / "x.dawg").chmod(0)
    with bound_by_permissions():
        refused = refusal(open_folder / "x.dawg")
    assert isinstance(refused, Unreadable)
    assert "expected a lexicon file, found permission denied" in str(refused)


def test_a_pipe_is_refused_without_waiting_for_a_writer(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "x.dawg")
    refused = refusal(tmp_path / "x.dawg")
    assert isinstance(refused, Unreadable)
    assert "a device or a pipe" in str(refused)
