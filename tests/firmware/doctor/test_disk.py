from __future__ import annotations

import errno
import itertools
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from appliance.finding import Finding, State
from firmware.doctor.examine import AMPLE, MIB, ROOM, check_disk, check_journal
from firmware.journal.store import _CHECKED_ROWS, Store
from game.journal.row import GameStamp, Kind, Row
from tests.appliance.records.refusing import no_file_larger

MS = 1_000_000


def _disk(path: Path, now: Callable[[], int] = time.monotonic_ns, free: int = AMPLE) -> dict[str, Finding]:
    return {finding.name: finding for finding in check_disk(path, now, lambda _folder: free)}


def _journal(path: Path, rows: int = 3) -> None:
    store = Store(path)
    for number in range(1, rows + 1):
        store.append(
            (Row(Kind.NOTE, 0, None, number, number, "boot", "wall", f'{{"row":{number}}}'),), GameStamp(number, number, "boot", "wall")
        )
    store.close()


def _stepping(step_ns: int) -> Callable[[], int]:
    """Return a clock that is ``step_ns`` further at each look."""
    instants = itertools.count(0, step_ns)
    return lambda: next(instants)


def test_a_good_disk_is_timed_and_left_as_it_was(tmp_path: Path) -> None:
    findings = _disk(tmp_path / "journal.db")
    assert {finding.state for name, finding in findings.items() if name != "commits"} == {State.OK}
    assert list(findings) == ["journal folder", "commits", "disk space"]
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_not_there_yet_is_looked_at_where_it_would_be_made(tmp_path: Path) -> None:
    finding = _disk(tmp_path / "var" / "tileclock" / "journal.db")["journal folder"]
    assert finding.state is State.NOTE
    assert finding.found.startswith(f"{tmp_path} can be written to")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("step_ms", "state", "said"), [(3, State.OK, "takes 3.0 ms"), (400, State.NOTE, "slow"), (1_500, State.FAIL, "1500.0 ms")]
)
def test_a_slow_disk_is_noted_and_one_too_slow_for_a_mark_a_second_fails(tmp_path: Path, step_ms: int, state: State, said: str) -> None:
    finding = _disk(tmp_path / "journal.db", _stepping(step_ms * MS))["commits"]
    assert finding.state is state
    assert said in finding.found


@pytest.mark.parametrize(("free", "state"), [(AMPLE, State.OK), (AMPLE - 1, State.NOTE), (ROOM - 1, State.FAIL)])
def test_a_disk_that_is_getting_full_is_noted_and_a_full_one_fails(tmp_path: Path, free: int, state: State) -> None:
    finding = _disk(tmp_path / "journal.db", free=free)["disk space"]
    assert (finding.state, finding.found) == (state, f"{free // MIB} MiB free")
    assert ("with the card in another Linux machine" in finding.fix) is (state is State.FAIL)


def test_a_folder_that_cannot_be_written_to_fails_with_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    findings = _disk(tmp_path / "file" / "journal.db")
    assert list(findings) == ["journal folder"]
    assert findings["journal folder"].state is State.FAIL
    assert "not a directory" in findings["journal folder"].found
    assert findings["journal folder"].fix == "Check the path and the disk, or choose another place with --journal."


def test_a_disk_that_takes_no_more_fails_and_nothing_is_left_on_it(tmp_path: Path) -> None:
    with no_file_larger(4096):
        findings = _disk(tmp_path / "journal.db")
    assert {name: finding.state for name, finding in findings.items()} == {"journal folder": State.FAIL}


def test_on_a_full_disk_whoever_looks_after_the_clock_is_told_how_to_make_room(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def full(*_: object) -> tuple[int, ...]:
        raise OSError(errno.ENOSPC, "x")

    monkeypatch.setattr(sys.modules["firmware.doctor.examine"], "time_commits", full)
    (finding,) = _disk(tmp_path / "journal.db").values()
    assert finding.found == f"{tmp_path} cannot be written to: the disk is full"
    assert f"`sudo tileclock journal export -o FILE --journal {tmp_path / 'journal.db'}`" in finding.fix
    assert list(tmp_path.iterdir()) == []


def test_a_whole_journal_is_told_with_its_rows_and_is_not_changed(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    _journal(path)
    before = path.read_bytes()
    (finding,) = check_journal(path)
    assert finding.state is State.OK
    assert "3 rows, all intact" in finding.found
    assert path.read_bytes() == before


def test_a_journal_that_is_not_there_yet_is_noted_and_not_begun(tmp_path: Path) -> None:
    (finding,) = check_journal(tmp_path / "journal.db")
    assert finding.state is State.NOTE
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_no_journal_fails_and_stays_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    path.write_text("a shopping list")
    (finding,) = check_journal(path)
    assert finding.state is State.FAIL
    assert finding.found == f"{path}: it is another kind of file than a journal, and was left as it was"
    assert finding.fix == "Move it to another place, or name another file in the settings, or with --journal."
    (tmp_path / "journal.db-lock").touch()
    (finding,) = check_journal(path)
    assert finding.state is State.FAIL
    assert "it is no SQLite file" in finding.found
    assert "the clock renames it" in finding.fix
    assert path.read_text() == "a shopping list"


def _change_row_2(path: Path) -> None:
    """Write another body into the file, past SQLite and its triggers."""
    whole = path.read_bytes()
    assert whole.count(b'{"row":2}') == 1
    path.write_bytes(whole.replace(b'{"row":2}', b'{"row":7}'))


def test_a_journal_with_a_changed_row_in_its_last_game_fails_and_will_be_set_aside(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    _journal(path)
    _change_row_2(path)
    (finding,) = check_journal(path)
    assert finding.state is State.FAIL
    assert "row 2 is not what was written" in finding.found
    assert "the clock renames it" in finding.fix


def test_a_row_changed_in_an_older_game_is_found_as_well_although_the_clock_goes_on_with_the_journal(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    _journal(path)
    store = Store(path)
    later = Row(Kind.EVENT, 1, 1, 9, 9, "boot", "wall", '{"edition": 4}')
    store.append([later] * (2 * _CHECKED_ROWS), GameStamp(9, 9, "boot", "wall"))
    store.close()
    _change_row_2(path)
    (finding,) = check_journal(path)
    assert finding.state is State.FAIL
    assert "row 2 is not what was written" in finding.found
    assert "continues with it" in finding.fix


def test_a_folder_in_the_journals_place_fails_with_what_to_do(tmp_path: Path) -> None:
    (finding,) = check_journal(tmp_path)
    assert finding.state is State.FAIL
    assert "cannot be read" in finding.found
    assert finding.fix.endswith("or choose another file with --journal.")
