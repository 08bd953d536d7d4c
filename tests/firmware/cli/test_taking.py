"""Spoiled files of the machine keep no clock from a tournament: `config take` keeps what is good, and `run` goes by it, on a machine of its own."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from firmware.cli.main import main
from firmware.journal.body import decode
from firmware.journal.row import Kind
from firmware.settings import SettingsError, layers
from tests.firmware.shell.rig import PATIENCE_S, rows_in
from tests.hardware.notified import notified

GOOD = '[screen]\nkind = "none"\n[board]\npins = "mock"\nfile = "board.toml"\n[journal]\npath = "journal.db"\n'
BOARD = 'title = "Ours"\nkind = "two-button"\n[buttons.left]\ngpio = 5\n[buttons.right]\ngpio = 6\n'
PROGRAM = """
import sys
from pathlib import Path
from firmware.settings import SettingsError, layers
layers.SYSTEM_FILE, layers.BOOT_FILES = Path(sys.argv[1]) / "clock.toml", (Path(sys.argv[1]) / "tileclock.toml",)
from firmware.cli.main import main
main(sys.argv[2:])
"""
SPOILED = [
    ("tileclock.toml", GOOD + "[buzzer\n", "expected TOML in UTF-8: Expected ']' at the end of a table declaration (at line 8, column 8)"),
    ("tileclock.toml", GOOD.replace('"none"', '"lcd"'), "screen.kind is \"lcd\", expected 'window', 'terminal' or 'none'"),
    ("tileclock.toml", f'rulebook = "naspa-2071"\n{GOOD}', "naspa-2071"),
    (
        "board.toml",
        BOARD.replace("gpio = 6", "gpio = 5"),
        "expected every pin once, found GPIO5 (header pin 29) for both buttons.left and buttons.right",
    ),
    (
        "board.toml",
        BOARD.replace("gpio = 6", "gpio = 60"),
        "buttons.right.gpio: expected a GPIO number on the 40-pin header, 2 to 27, found 60",
    ),
    (
        "board.toml",
        BOARD.replace("[buttons.right]\ngpio = 6\n", ""),
        "expected the buttons left, right on a two-button board, found no right",
    ),
]


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A machine whose boot partition has good settings and a board of its own."""
    monkeypatch.setattr(layers, "SYSTEM_FILE", tmp_path / "clock.toml")
    monkeypatch.setattr(layers, "BOOT_FILES", (tmp_path / "tileclock.toml",))
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "state"))
    (tmp_path / "tileclock.toml").write_text(GOOD, encoding="utf-8")
    (tmp_path / "board.toml").write_text(BOARD, encoding="utf-8")
    return tmp_path


def _take(*words: str) -> Result:
    return CliRunner().invoke(main, ["config", *words, "take"])


def test_good_files_are_kept_with_the_board_that_they_name(machine: Path) -> None:
    done = _take()
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout == f"settings taken: 4 from {machine / 'tileclock.toml'}\n"
    kept = machine / "state" / "last-good" / str(machine).lstrip("/")
    assert {each.name: each.read_text() for each in kept.iterdir()} == {"tileclock.toml": GOOD, "board.toml": BOARD}


@pytest.mark.parametrize(("file", "text", "told"), SPOILED, ids=[told for _, _, told in SPOILED])
def test_a_spoiled_file_fails_no_boot_and_is_told_with_its_name_its_place_and_what_was_expected(
    machine: Path, file: str, text: str, told: str
) -> None:
    _take()
    (machine / file).write_text(text, encoding="utf-8")
    done = _take()
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout.startswith("settings not taken: ")
    assert str(machine / file) in done.stdout or "rulebook" in done.stdout
    assert told in done.stdout
    assert "in force instead: " in done.stdout


def test_where_nothing_was_ever_kept_a_spoiled_file_is_left_out(machine: Path) -> None:
    (machine / "tileclock.toml").write_text("x", encoding="utf-8")
    done = _take()
    assert done.exit_code == 0
    assert done.stdout.endswith("; in force instead: all at their defaults\n")


def test_where_not_even_the_defaults_can_be_used_taking_leaves_with_2(machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_: object) -> None:
        raise SettingsError("expected texts, found none; install Tileclock anew")

    monkeypatch.setattr("firmware.shell.assemble.setup_of", broken)
    done = _take()
    assert (done.exit_code, done.stderr) == (2, "tileclock: expected texts, found none; install Tileclock anew\n")
    assert not (machine / "state").exists()


def test_taking_has_no_settings_of_its_own(machine: Path) -> None:
    done = _take("--settings", str(machine / "tileclock.toml"))
    assert done.exit_code == 2
    assert "expected no settings before `take`" in done.stderr


def test_a_clock_whose_settings_were_spoiled_starts_with_the_last_good_ones_and_keeps_why_in_journal_and_log(machine: Path) -> None:
    _take()
    (machine / "tileclock.toml").write_text(f"{GOOD}[buzzer\n", encoding="utf-8")
    with notified(PROGRAM, machine) as process:
        process.send_signal(signal.SIGTERM)
        output, errors = process.communicate(timeout=PATIENCE_S)
    assert (process.returncode, errors) == (0, "")
    why = f"{machine / 'tileclock.toml'}: expected TOML in UTF-8: Expected ']' at the end of a table declaration (at line 8, column 8)"
    notes = [decode(kept.row.body) for kept in rows_in(machine / "journal.db") if kept.row.kind == Kind.NOTE]
    assert notes == [{"settings": why}]
    assert f"settings not taken: {why}; in force instead: " in output


@pytest.mark.parametrize("verb", ["config", "doctor"])
@pytest.mark.usefixtures("machine")
def test_who_asks_about_settings_is_told_what_is_wrong_and_nothing_is_made_good(machine: Path, verb: str) -> None:
    _take()
    (machine / "tileclock.toml").write_text("x", encoding="utf-8")
    done = CliRunner().invoke(main, [verb])
    assert done.exit_code == 2
    assert done.stderr.startswith(f"tileclock: {machine / 'tileclock.toml'}: expected TOML")


def test_a_file_that_is_named_and_an_option_are_taken_or_refused_and_never_made_good(machine: Path) -> None:
    _take()
    bad = machine / "bad.toml"
    bad.write_text("x", encoding="utf-8")
    for words in (("--settings", str(bad)), ("--width", "3"), ("--board", "nix")):
        done = CliRunner().invoke(main, ["run", *words])
        assert done.exit_code == 2
        assert done.stderr.startswith("tileclock: ")


def test_paths_in_a_file_begin_at_that_file_whichever_folder_the_clock_is_started_in(
    machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (machine / "ours.toml").write_text('id = "ours"\nextends = "club"\ntitle = "Ours"\nsummary = "As in our club."\n', encoding="utf-8")
    (machine / "tileclock.toml").write_text(f'rulebook = "ours.toml"\nown_rulebooks = ["./ours.toml", "club"]\n{GOOD}', encoding="utf-8")
    monkeypatch.chdir("/")
    done = CliRunner().invoke(main, ["config", "--changed"])
    assert done.exit_code == 0
    said = done.stdout.splitlines()
    origin = f"  # {machine / 'tileclock.toml'}"
    assert f'rulebook = "{machine}/ours.toml"{origin}' in said
    assert f'own_rulebooks = ["{machine}/ours.toml", "club"]{origin}' in said
    assert f'board.file = "{machine}/board.toml"{origin}' in said
    assert f'journal.path = "{machine}/journal.db"{origin}' in said
