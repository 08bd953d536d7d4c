"""Spoiled files of the machine keep no station from a tournament: `config take` keeps what is good, and `run` goes by it, on a machine of its own."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from kiosk.challenge.entry import Kind
from kiosk.cli.main import main
from kiosk.settings import places
from tests.appliance.service.notified import notified
from tests.kiosk.shell.programs import PATIENCE_S
from tests.kiosk.shell.rig import entries_in

GOOD = 'name = "Hall A"\nrulebook = "ours.toml"\n[screen]\nkind = "none"\n[board]\nfile = "board.toml"\npins = "mock"\n[log]\npath = "station.db"\n'
OURS = 'id = "ours"\nextends = "club"\ntitle = "Ours"\nsummary = "As in our club."\n'
BOARD = 'title = "Ours"\nkind = "station"\n[buttons.adjudicate]\ngpio = 5\n'
PROGRAM = """
import sys
from pathlib import Path
from kiosk.settings import places
places.SYSTEM_FILE, places.BOOT_FILES = Path(sys.argv[1]) / "station.toml", (Path(sys.argv[1]) / "tilekiosk.toml",)
from kiosk.cli.main import main
main(sys.argv[2:])
"""
SPOILED = [
    (
        "tilekiosk.toml",
        GOOD + "[flow\n",
        "expected TOML in UTF-8, found a fault: Expected ']' at the end of a table declaration (at line 10, column 6)",
    ),
    ("tilekiosk.toml", GOOD + "[flow]\nidle_s = 2\n", "flow.idle_s: expected greater than or equal to 15, found 2"),
    ("tilekiosk.toml", 'language = "tlh"\n' + GOOD, "'tlh'"),
    (
        "board.toml",
        BOARD.replace("gpio = 5", "gpio = 50"),
        "buttons.adjudicate.gpio: expected a GPIO number on the 40-pin header, 2 to 27, found 50",
    ),
    ("ours.toml", OURS.replace('"club"', '"clubb"'), "clubb"),
]


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A machine whose boot partition has good settings, a rulebook and a board of its own."""
    monkeypatch.setattr(places, "SYSTEM_FILE", tmp_path / "station.toml")
    monkeypatch.setattr(places, "BOOT_FILES", (tmp_path / "tilekiosk.toml",))
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "state"))
    for name, text in (("tilekiosk.toml", GOOD), ("ours.toml", OURS), ("board.toml", BOARD)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def _take(*words: str) -> Result:
    return CliRunner().invoke(main, ["config", *words, "take"])


def _spoil(file: Path, text: str | None) -> None:
    if text is None:
        file.unlink()
    else:
        file.write_text(text, encoding="utf-8")


def _findings(said: str) -> dict[str, str]:
    """What was looked at, and how it was."""
    return {line[6:].split("  ")[0]: line.split()[0] for line in said.splitlines() if line.startswith(("ok ", "note ", "fail "))}


def test_good_files_are_kept_with_the_rulebook_and_the_board_that_they_name_and_no_other_user_reads_them(machine: Path) -> None:
    done = _take()
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout == f"settings taken: 6 from {machine / 'tilekiosk.toml'}\n"
    kept = machine / "state" / "last-good" / str(machine).lstrip("/")
    assert {each.name: each.read_text() for each in kept.iterdir()} == {"tilekiosk.toml": GOOD, "board.toml": BOARD, "ours.toml": OURS}
    assert all(each.stat().st_mode & 0o007 == 0 for each in kept.iterdir())


@pytest.mark.parametrize(("file", "text", "told"), SPOILED, ids=[told for _, _, told in SPOILED])
def test_a_spoiled_file_fails_no_boot_and_is_told_with_its_name_its_place_and_what_was_expected(
    machine: Path, file: str, text: str, told: str
) -> None:
    _take()
    (machine / file).write_text(text, encoding="utf-8")
    done = _take()
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout.startswith("settings not taken: ")
    assert told in done.stdout


@pytest.mark.parametrize(("spoiled", "told"), [("", "found an empty file"), (None, "found no file")])
def test_a_file_that_the_card_lost_leaves_its_last_good_copy_in_force_and_kept(machine: Path, spoiled: str | None, told: str) -> None:
    _take()
    _spoil(machine / "tilekiosk.toml", spoiled)
    for _ in range(2):
        done = _take()
        assert (done.exit_code, done.stderr) == (0, "")
        assert told in done.stdout
        assert done.stdout.endswith(f"; in force instead: 6 from last good copy of {machine / 'tilekiosk.toml'}\n")


def test_a_lexicon_that_is_not_there_is_no_fault_of_the_settings(machine: Path) -> None:
    (machine / "tilekiosk.toml").write_text(f'{GOOD}[lexicon]\npath = "none.dawg"\n', encoding="utf-8")
    assert _take().stdout.startswith("settings taken: 7 from ")


def test_a_station_whose_settings_were_spoiled_starts_with_the_last_good_ones_and_keeps_why_in_its_log(machine: Path) -> None:
    _take()
    (machine / "tilekiosk.toml").write_text("x", encoding="utf-8")
    why = f"{machine / 'tilekiosk.toml'}: expected TOML in UTF-8, found a fault: Expected '=' after a key in a key/value pair (at end of document)"
    with notified(PROGRAM, machine) as process:
        process.send_signal(signal.SIGTERM)
        output, errors = process.communicate(timeout=PATIENCE_S)
    assert (process.returncode, errors) == (0, "")
    assert f"settings not taken: {why}; in force instead: " in output
    started = entries_in(machine / "station.db")[0]
    assert (started.kind, started.rulebook) == (Kind.STARTED, "ours")
    assert (started.why or "").endswith(f"; settings not taken: {why}")


@pytest.mark.parametrize(
    ("spoiled", "told"), [("x", "expected TOML"), ("", "expected settings, found an empty file"), (None, "found no file")]
)
def test_who_asks_for_the_settings_is_told_what_is_wrong_and_nothing_is_made_good(machine: Path, spoiled: str | None, told: str) -> None:
    _take()
    _spoil(machine / "tilekiosk.toml", spoiled)
    done = CliRunner().invoke(main, ["config"])
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith(f"tilekiosk: {machine / 'tilekiosk.toml'}: ")
    assert told in done.stderr


@pytest.mark.parametrize(
    ("spoiled", "told"), [("x", "expected TOML"), ("", "expected settings, found an empty file"), (None, "found no file")]
)
def test_a_doctor_of_spoiled_settings_says_so_in_one_finding_and_looks_at_all_else_with_the_last_good_ones(
    machine: Path, spoiled: str | None, told: str
) -> None:
    _take()
    well = CliRunner().invoke(main, ["doctor"]).stdout
    _spoil(machine / "tilekiosk.toml", spoiled)
    done = CliRunner().invoke(main, ["doctor"])
    assert (done.exit_code, done.stderr) == (1, "")
    assert _findings(done.stdout) == {**_findings(well), "settings": "fail"}
    assert (_findings(well)["settings"], _findings(well)["board file"]) == ("ok", "ok")
    assert told in " ".join(done.stdout.split())
    assert "board: 1 button" in done.stdout


def test_a_doctor_with_an_option_or_a_named_file_at_fault_leaves_with_2_whatever_the_machines_files_are(machine: Path) -> None:
    _take()
    bad = machine / "bad.toml"
    bad.write_text("x", encoding="utf-8")
    for spoiled in (False, True):
        if spoiled:
            (machine / "tilekiosk.toml").write_text("x", encoding="utf-8")
        for words, told in ((("--settings", str(bad)), f"{bad}: expected TOML"), (("--width", "3"), "options: screen.width: expected ")):
            done = CliRunner().invoke(main, ["doctor", *words])
            assert (done.exit_code, done.stdout) == (2, "")
            assert done.stderr.startswith(f"tilekiosk: {told}")


def test_the_pinout_is_of_the_settings_board_and_where_they_are_spoiled_of_the_last_good_ones(machine: Path) -> None:
    _take()
    shown = CliRunner().invoke(main, ["pinout", "--pi", "4"])
    assert (shown.exit_code, shown.stderr, shown.stdout.splitlines()[0]) == (0, "", "Ours, on a Raspberry Pi 4 (B, 400)")
    (machine / "tilekiosk.toml").write_text("x", encoding="utf-8")
    again = CliRunner().invoke(main, ["pinout", "--pi", "4"])
    assert (again.exit_code, again.stdout) == (0, shown.stdout)
    assert again.stderr.startswith(f"tilekiosk: settings not taken: {machine / 'tilekiosk.toml'}: expected TOML")


def test_the_pinout_of_a_station_whose_settings_name_no_board_is_of_the_shipped_one_and_says_so(machine: Path) -> None:
    (machine / "tilekiosk.toml").unlink()
    shown = CliRunner().invoke(main, ["pinout", "--pi", "4"])
    assert (shown.exit_code, shown.stdout) == (0, CliRunner().invoke(main, ["pinout", "station", "--pi", "4"]).stdout)
    assert shown.stderr == 'tilekiosk: the settings name no board, so this is the shipped one; to use it: board.file = "station".\n'


def test_a_pin_is_made_where_the_settings_are_spoiled_too(machine: Path) -> None:
    (machine / "tilekiosk.toml").write_text("x", encoding="utf-8")
    done = CliRunner().invoke(main, ["config", "pin"], input="2468\n")
    assert done.exit_code == 0
    assert done.stdout.startswith('pin = "scrypt$')


def test_a_file_that_is_named_and_an_option_are_taken_or_refused_and_never_made_good(machine: Path) -> None:
    _take()
    bad = machine / "bad.toml"
    bad.write_text("x", encoding="utf-8")
    for words in (("--settings", str(bad)), ("--width", "3"), ("--board", "nix")):
        done = CliRunner().invoke(main, ["run", *words])
        assert done.exit_code == 2
        assert done.stderr.startswith("tilekiosk: ")
