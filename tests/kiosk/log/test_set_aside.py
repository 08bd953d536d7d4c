"""Opening a damaged log: it is set aside and never overwritten, whatever the damage; the new one's first row says so."""

from collections.abc import Callable
from pathlib import Path

import pytest

from appliance.errors import InUse
from appliance.records.files import LOCK, beside
from game.challenge_log.row import NotLogged
from kiosk.log.log import open_log
from tests.appliance.records.damage import tamper
from tests.appliance.records.refusing import no_file_larger
from tests.kiosk.log.making import LOOKUP, STATION, S, kept_in, refusal, written


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
