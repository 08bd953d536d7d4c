"""The crash record: what was written whole is found, and what is torn, stale, forged or garbage is not there."""

import os
import random
from pathlib import Path

import pytest

from appliance.crash.record import CrashRecord, FoundCrash, LastEnd, read_record
from appliance.records.files import UNFINISHED, beside
from tests.cells import each_cell


class _Nobody:
    """A sentinel that never comes to write."""

    def __init__(self, record: int, offset: int) -> None:
        self.at = (record, offset)

    def close(self) -> None:
        pass


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "a.crash"


def _left(path: Path, notes: list[bytes], entries: list[tuple[bytes, bool]]) -> None:
    record = CrashRecord(path, _Nobody)
    record.settle()
    for note in notes:
        record.note(note)
    for entry, afresh in entries:
        record.append(entry, afresh=afresh)
    record.close(keep=True)


def test_the_last_note_and_the_entries_since_they_were_begun_afresh_are_found(path: Path) -> None:
    _left(path, [b"one", b"two", b"three"], [(b"a longer entry than the next", True), (b"b", False), (b"c", True), (b"d" * 9000, False)])
    assert read_record(path) == FoundCrash(b"three", (b"c", b"d" * 9000), None)


def test_an_earlier_record_stays_until_the_new_one_has_taken_over_what_was_of_worth(path: Path) -> None:
    _left(path, [b"old"], [])
    record = CrashRecord(path, _Nobody)
    record.note(b"new")
    assert read_record(path) == FoundCrash(b"old", (), None)
    record.settle()
    record.close(keep=True)
    assert read_record(path) == FoundCrash(b"new", (), None)


def test_nothing_is_left_of_a_program_that_ends_in_order(path: Path) -> None:
    record = CrashRecord(path, _Nobody)
    record.settle()
    record.close(keep=False)
    assert list(path.parent.iterdir()) == []
    assert read_record(path) is None


def test_a_write_that_was_cut_off_at_any_byte_leaves_what_was_there_before(path: Path) -> None:
    _left(path, [b"first", b"second note"], [(b"first", True), (b"second entry", False)])
    whole = path.read_bytes()
    # The second note stands in the first slot.
    assert whole[512 + 16 : 512 + 27] == b"second note"
    for cut in range(27):
        path.write_bytes(whole[: 512 + cut] + bytes(27 - cut) + whole[512 + 27 :])
        path.chmod(0o600)
        assert read_record(path) == FoundCrash(b"first", (b"first", b"second entry"), None)
    for cut in range(1, 29):
        path.write_bytes(whole[:-cut])
        assert read_record(path) == FoundCrash(b"second note", (b"first",), None)


def test_entries_of_an_earlier_generation_behind_the_new_ones_are_not_found(path: Path) -> None:
    _left(path, [], [(b"same length", True), (b"and another", False), (b"other text!", True)])
    assert b"and another" in path.read_bytes()
    assert read_record(path) == FoundCrash(None, (b"other text!",), None)


def test_garbage_is_nothing_and_raises_nothing(path: Path) -> None:
    for cell in each_cell(range(20)):
        with cell as seed:
            chance = random.Random(seed)  # noqa: S311 - no secret
            path.write_bytes(b"TCLKCR01" * (seed % 2) + chance.randbytes(chance.randrange(20_000)))
            path.chmod(0o600)
            found = read_record(path)
            assert found in (None, FoundCrash(None, (), None))


def test_an_end_is_believed_only_whole(path: Path) -> None:
    _left(path, [], [])
    full = (1 << 64) - 1
    for words, end in (
        ((5, 7, 5 ^ full, 7 ^ full), LastEnd(5, 7)),
        ((0, 7, full, 7 ^ full), LastEnd(None, 7)),
        ((5, 7, 5 ^ full, 0), None),
        ((9, 7, 9 ^ full, 7 ^ full), None),
        ((0, 0, full, full), None),
    ):
        with path.open("r+b") as file:
            file.seek(64)
            file.write(b"".join(word.to_bytes(8, "little") for word in words))
        assert read_record(path) == FoundCrash(None, (), end)


def _fifo(path: Path) -> None:
    os.mkfifo(path, 0o600)


def _folder(path: Path) -> None:
    path.mkdir(0o700)


def _link(path: Path) -> None:
    _left(path.with_name("b.crash"), [b"note"], [])
    path.symlink_to(path.with_name("b.crash"))


def _open_to_others(path: Path) -> None:
    _left(path, [b"note"], [])
    path.chmod(0o620)


def _anothers(path: Path) -> None:
    _left(path, [b"note"], [])
    os.chown(path, 12345, -1)


@pytest.mark.parametrize(
    "made",
    [
        _fifo,
        _folder,
        _link,
        _open_to_others,
        pytest.param(_anothers, marks=pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")),
    ],
)
def test_what_another_user_may_have_put_there_is_not_believed(path: Path, made: object) -> None:
    assert callable(made)
    made(path)
    assert read_record(path) is None


def test_a_record_that_a_living_program_holds_is_left_alone(path: Path) -> None:
    record = CrashRecord(path, _Nobody)
    record.settle()
    assert read_record(path, locked_s=0.01) is None
    record.close(keep=True)
    assert read_record(path) is not None


def test_a_note_that_is_too_long_is_an_error_and_not_half_a_note(path: Path) -> None:
    record = CrashRecord(path, _Nobody)
    with pytest.raises(OSError, match="too long"):
        record.note(bytes(2000))
    record.close(keep=False)
    assert not beside(path, UNFINISHED).exists()
