"""Opening a damaged log: it is set aside and never overwritten, whatever the damage; the new one's first row says so."""

import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from appliance.errors import InUse
from appliance.records.files import LOCK, beside
from kiosk.log.errors import NotLogged
from kiosk.log.log import open_log
from kiosk.log.reading import entry_of
from tests.appliance.records.damage import NO_DATABASES, flipped, tamper
from tests.appliance.records.refusing import no_file_larger
from tests.kiosk.log.making import LOOKUP, STATION, S, kept_in, refusal, written


def _whole_or_aside(path: Path) -> bool:
    """Open and write a row, and require that the old file is set aside unchanged, or whole to the last bit; tell which."""
    before = path.read_bytes()
    with open_log(path) as log:
        assert log.trouble is None
        row = log.append(LOOKUP, S, STATION)
    aside = [each for each in path.parent.glob("station.db.*.damaged*") if not each.name.endswith(("-wal", "-shm"))]
    kept = kept_in(path)
    if aside:
        assert [each.read_bytes() for each in aside] == [before]
        assert log.news is not None
        assert str(aside[0]) in log.news
        assert (row, [entry_of(each).why for each in kept]) == (2, [log.news, None])
        return False
    assert (row, log.news, len(kept)) == (15, None, 15)
    return True


def _copied(whole: bytes, folder: Path) -> Path:
    folder.mkdir()
    (folder / "station.db").write_bytes(whole)
    return folder / "station.db"


@pytest.mark.parametrize("content", NO_DATABASES)
def test_a_file_that_is_no_log_is_set_aside_unchanged(tmp_path: Path, content: bytes) -> None:
    path = _copied(content, tmp_path / "a")
    beside(path, LOCK).touch()
    assert not _whole_or_aside(path)


def test_a_log_truncated_anywhere_is_set_aside(path: Path) -> None:
    whole = path.read_bytes()
    for size in [0, 1, 15, 16, 99, 100, *range(512, len(whole), 1024), len(whole) - 1]:
        cut = _copied(whole[:size], path.parent / f"cut{size}")
        beside(cut, LOCK).touch()
        assert not _whole_or_aside(cut), size


def test_a_flipped_bit_anywhere_is_noticed_or_harmless(path: Path) -> None:
    whole = path.read_bytes()
    chance = random.Random(7)  # noqa: S311 - the same bits each time
    aside = 0
    for trial in range(100):
        aside += not _whole_or_aside(_copied(flipped(whole, chance), path.parent / f"flip{trial}"))
        shutil.rmtree(path.parent / f"flip{trial}")
    assert 0 < aside < 100


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE rows SET table_number = 3 WHERE seq = 5",
        "UPDATE rows SET body = replace(body, 'false', 'true') WHERE seq = 5",
        "UPDATE rows SET station = 'Hall B' WHERE seq = 5",
        "UPDATE rows SET wall = 'yesterday' WHERE seq = 14",
        "DELETE FROM rows WHERE seq = 7",
        "DELETE FROM rows WHERE seq > 12",
        "DELETE FROM rows",
        "UPDATE mark SET seq = 13",
        "UPDATE mark SET hash = upper(hash)",
        "DELETE FROM mark",
        "PRAGMA user_version = 2",
        "CREATE TABLE more (x)",
        "DROP TABLE mark",
        "DROP TRIGGER rows_stay",
    ],
)
def test_a_tampered_log_and_one_of_another_version_are_set_aside(path: Path, sql: str) -> None:
    tamper(path, sql)
    assert not _whole_or_aside(path)


def test_a_wal_without_its_file_is_set_aside_and_not_taken_for_the_new_logs(path: Path) -> None:
    with open_log(path) as log:
        log.append(LOOKUP, S, STATION)
        wal = (path.parent / "station.db-wal").read_bytes()
    path.unlink()
    (path.parent / "station.db-wal").write_bytes(wal)
    with open_log(path) as log:
        assert log.news is not None
        assert "the file is gone, its WAL is there" in log.news
    assert [each.read_bytes() for each in path.parent.glob("*.damaged-wal")] == [wal]
    assert kept_in(path) == []


@pytest.mark.parametrize("room", [0, 20, 4096])
def test_a_sound_log_on_a_disk_without_room_is_not_set_aside_and_goes_on_when_there_is_room(tmp_path: Path, room: int) -> None:
    path = written(tmp_path / "station.db")
    with no_file_larger(room):
        log = open_log(path)
        assert log.trouble is not None
    with log:
        assert log.news is None
        assert log.append(LOOKUP, S, STATION) == 15
    assert list(tmp_path.glob("*.damaged*")) == []


def _a_letter(path: Path) -> None:
    path.write_bytes(b"Dear director, " * 100)


def _another_programs(path: Path) -> None:
    written(path)
    beside(path, LOCK).unlink()
    tamper(path, "PRAGMA application_id = 3")


@pytest.mark.parametrize(
    ("put", "told"),
    [(_a_letter, "it is another kind of file than a log, and was left as it was"), (_another_programs, "it is another program's database")],
)
def test_somebody_elses_file_is_left_as_it_was_at_every_start_until_it_is_out_of_the_way(
    tmp_path: Path, put: Callable[[Path], None], told: str
) -> None:
    path = tmp_path / "list.dawg"
    put(path)
    before = path.read_bytes()
    for _ in range(3):
        with open_log(path) as log:
            assert refusal(log).startswith(f"The log cannot be written: {path}: {told}")
            assert log.trouble is not None
            assert log.trouble.remedy == "Move it to another place, or name another file in the settings"
            assert log.news is None
            with pytest.raises(NotLogged):
                log.door_refusals()
    assert path.read_bytes() == before
    assert [each.name for each in tmp_path.iterdir()] == ["list.dawg"]
    with open_log(path) as log:
        assert log.trouble is not None
        path.rename(tmp_path / "elsewhere")
        assert log.append(LOOKUP, S, STATION) == 1
        # Only now can it be held, and is.
        with pytest.raises(InUse):
            open_log(path)
