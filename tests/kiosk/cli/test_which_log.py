"""Which log ``tilekiosk log`` reads with ``--settings``: the one that a station with these settings writes."""

from pathlib import Path

from game.challenge_log.entry import Entry, Kind
from game.challenge_log.row import NoLog
from kiosk.log.log import open_log
from tests.cells import each_cell
from tests.errors import refused
from tests.kiosk.log.making import CLOCKS, S
from tests.kiosk.log.making import STATION as STATION_NAME
from tests.programs import STATION


def test_with_settings_named_the_log_is_read_that_a_station_with_them_writes(tmp_path: Path) -> None:
    with open_log(tmp_path / "station.db", CLOCKS) as log:
        log.append(Entry(Kind.STARTED), S, STATION_NAME)
    folder = tmp_path / "settings"
    folder.mkdir()
    (folder / "station.toml").write_text('name = "Hall A"\n[log]\npath = "../station.db"\n')
    named = ("--settings", folder / "station.toml")
    assert "station.db" in STATION.run("config", *named).stdout
    for cell in each_cell(["list", "export", "verify"]):
        with cell as verb:
            done = STATION.run("log", verb, *named)
            assert (done.exit_code, done.stderr) == (0, "")
            assert done.stdout == STATION.run("log", verb, "--log", log.path).stdout
            other = STATION.run("log", verb, *named, "--log", tmp_path / "other.db")
            assert other.stdout == ""
            assert isinstance(refused(other, where=str(tmp_path / "other.db"), found="no such file"), NoLog)
            bad = STATION.run("log", verb, "--settings", tmp_path / "none.toml")
            assert bad.stdout == ""
            refused(bad, where=str(tmp_path / "none.toml"))
