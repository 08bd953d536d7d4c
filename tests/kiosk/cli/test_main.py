import csv
import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from msgspec.structs import replace

from appliance.records.chain import short
from kiosk.cli.main import main
from kiosk.log import Log
from records.entry import Entry, Kind
from tests.appliance.records.damage import tamper
from tests.errors import refused
from tests.kiosk.log.making import CLOCKS, CLUB, LOOKUP, STATION, S, append, kept_in


@pytest.fixture
def path(tmp_path: Path) -> Path:
    hours = iter(range(8, 24))
    entries = [
        Entry(Kind.STARTED),
        LOOKUP,
        replace(LOOKUP, kind=Kind.REPEAT, first=2, acceptable=True, lexicon=replace(CLUB, practice=True)),
        Entry(Kind.ABORTED, 7, words=("ZAX",), why="no touch for a minute\x1b[2J"),
        Entry(Kind.DOOR_REFUSED),
    ]
    with Log(tmp_path / "station.db", replace(CLOCKS, wall=lambda: f"2026-07-03T{next(hours):02d}:00:00.000+00:00")) as log:
        for entry in entries:
            append(log, entry, S, STATION)
    return log.path


def _run(*words: str | Path) -> Result:
    done = CliRunner().invoke(main, ["log", *map(str, words)])
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done


def test_list_shows_each_row_with_its_verdict_and_its_words_as_they_were_typed(path: Path) -> None:
    done = _run("list", "--log", path)
    assert (done.exit_code, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[0] == "     1  2026-07-03T08:00:00.000+00:00  Hall A             started"
    assert lines[1].endswith(
        "Hall A  table 12   lookup           UNACCEPTABLE  QI [CH]A  challenged by left  by tab  naspa-2017  Club list 2026-01 abababab"
    )
    assert "repeat           ACCEPTABLE  QI [CH]A  (of row 2)" in lines[2]
    assert lines[2].endswith("abababab PRACTICE")
    assert lines[3].endswith("table 7    aborted          ZAX  no touch for a minute\\x1b[2J")
    assert len(lines) == 5


@pytest.mark.parametrize(
    ("asked", "rows"),
    [
        (("--table", "12"), [2, 3]),
        (("--kind", "door_refused"), [5]),
        (("--kind", "lookup", "--table", "7"), []),
        (("--since", "2026-07-03T10:00"), [3, 4, 5]),
        (("--since", "2026-07-03T10:00:01"), [4, 5]),
        (("--since", "2026-07-03"), [1, 2, 3, 4, 5]),
        (("--since", "2026-07-04"), []),
    ],
)
def test_list_shows_only_what_is_asked_for(path: Path, asked: tuple[str, ...], rows: list[int]) -> None:
    done = _run("list", "--json", *asked, "--log", path)
    assert [json.loads(line)["row"] for line in done.stdout.splitlines()] == rows


def test_export_writes_a_table_that_a_spreadsheet_reads(path: Path, tmp_path: Path) -> None:
    done = _run("export", "--csv", "-o", tmp_path / "log.csv", "--log", path)
    assert (done.exit_code, done.output) == (0, "")
    with (tmp_path / "log.csv").open(newline="", encoding="utf-8-sig") as file:
        rows = list(csv.DictReader(file))
    assert [row["verdict"] for row in rows] == ["", "unacceptable", "acceptable", "", ""]
    assert (tmp_path / "log.csv").read_bytes() == _run("export", "--csv", "--log", path).stdout_bytes


def test_export_without_csv_is_json_a_row_a_line(path: Path) -> None:
    done = _run("export", "--log", path)
    assert [json.loads(line)["kind"] for line in done.stdout.splitlines()] == ["started", "lookup", "repeat", "aborted", "door_refused"]


def test_verify_tells_rows_and_head_and_finds_a_head_that_was_noted_down(path: Path) -> None:
    kept = kept_in(path)
    whole = f"Whole: 5 rows; the hash of the last begins {short(kept[-1].hash)}.\nNothing is signed.\n"
    assert (_run("verify", "--log", path).exit_code, _run("verify", "--log", path).stdout) == (0, whole)
    found = _run("verify", "--log", path, "--expect", short(kept[2].hash).upper())
    assert (found.exit_code, found.stdout) == (0, f"{whole}The hash {short(kept[2].hash).upper()} is of row 3.\n")
    missed = _run("verify", "--log", path, "--expect", "0" * 16)
    assert missed.exit_code == 1
    assert missed.stdout.endswith("No row has the hash 0000000000000000: this is another file, or its rows were rewritten.\n")


def test_verify_names_the_first_row_that_is_not_as_written_and_list_warns(path: Path) -> None:
    meaning = "row 2 is not what was written"
    tamper(path, "UPDATE rows SET body = replace(body, 'false', 'true') WHERE seq = 2")
    done = _run("verify", "--log", path)
    assert done.exit_code == 1
    assert done.stdout.startswith(f"Broken: {meaning}")
    assert "Whole up to row 1" in done.stdout
    listed = _run("list", "--log", path)
    assert listed.exit_code == 0
    assert listed.stderr.startswith(f"tilekiosk: {path}: damaged: {meaning}")


@pytest.mark.parametrize("suffix", ["", "-wal", "-chosen.json"])
def test_an_export_onto_the_log_itself_or_what_is_kept_with_it_is_refused_by_whatever_name(path: Path, tmp_path: Path, suffix: str) -> None:
    own = path.with_name(path.name + suffix)
    own.touch()
    before = path.read_bytes(), own.read_bytes()
    (tmp_path / "link.csv").symlink_to(own)
    (tmp_path / "hard.csv").hardlink_to(own)
    for name in (own, tmp_path / "link.csv", tmp_path / "hard.csv", tmp_path / "x" / ".." / own.name):
        for form in ((), ("--csv",)):
            done = _run("export", *form, "--log", path, "-o", name)
            assert done.stdout == ""
            refused(done, where=str(name), found="the log itself, or one of its files")
    assert (path.read_bytes(), own.read_bytes()) == before
    assert len(kept_in(path)) == 5


def test_what_the_players_said_of_the_last_play_is_in_the_list(tmp_path: Path) -> None:
    with Log(tmp_path / "station.db", CLOCKS) as log:
        for was_last in (True, False):
            append(log, Entry(Kind.LAST_PLAY, 7, acceptable=True, last_play=was_last), S, STATION)
    said, taken_back = _run("list", "--log", tmp_path / "station.db").stdout.splitlines()
    assert (said[-33:], taken_back[-29:]) == ("ACCEPTABLE  last play of its game", "ACCEPTABLE  not the last play")


def test_help_loads_neither_pygame_nor_the_table_clock() -> None:
    program = (
        "import sys, click.testing; from kiosk.cli.main import main; click.testing.CliRunner().invoke(main, ['run', '--help']); "
        "print([name for name in ('pygame', 'firmware.shell', 'firmware.screens') if name in sys.modules])"
    )
    ended = subprocess.run([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, check=True)
    assert ended.stdout.strip() == "[]"
