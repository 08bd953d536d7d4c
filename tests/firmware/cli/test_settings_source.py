"""Spoiled files of the machine keep no clock from a tournament: `config take` keeps what is good, and `run` goes by it, on a machine of its own."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest
from click.testing import CliRunner

from firmware.cli.main import main
from firmware.journal.body import decode
from firmware.journal.row import Kind
from firmware.settings import SettingsError
from tests.appliance.service.notified import notified
from tests.firmware.cli.machines import BOARD, GOOD, machine, spoil, take
from tests.firmware.shell.rig import PATIENCE_S, rows_in

__all__ = ["machine"]

PROGRAM = """
import sys
from pathlib import Path
from firmware.settings import SettingsError, places
places.SYSTEM_FILE, places.BOOT_FILES = Path(sys.argv[1]) / "clock.toml", (Path(sys.argv[1]) / "tileclock.toml",)
from firmware.cli.main import main
main(sys.argv[2:])
"""
SPOILED = [
    (
        "tileclock.toml",
        GOOD + "[buzzer\n",
        "expected TOML in UTF-8, found a fault: Expected ']' at the end of a table declaration (at line 8, column 8)",
    ),
    ("tileclock.toml", GOOD.replace('"none"', '"lcd"'), "screen.kind: expected 'window', 'terminal' or 'none', found \"lcd\""),
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


def test_good_files_are_kept_with_the_board_that_they_name(machine: Path) -> None:
    done = take()
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout == f"settings taken: 4 from {machine / 'tileclock.toml'}\n"
    kept = machine / "state" / "last-good" / str(machine).lstrip("/")
    assert {each.name: each.read_text() for each in kept.iterdir()} == {"tileclock.toml": GOOD, "board.toml": BOARD}


@pytest.mark.parametrize(("file", "text", "told"), SPOILED, ids=[told for _, _, told in SPOILED])
def test_a_spoiled_file_fails_no_boot_and_is_told_with_its_name_its_place_and_what_was_expected(
    machine: Path, file: str, text: str, told: str
) -> None:
    take()
    (machine / file).write_text(text, encoding="utf-8")
    done = take()
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout.startswith("settings not taken: ")
    assert str(machine / file) in done.stdout or "rulebook" in done.stdout
    assert told in done.stdout
    assert "in force instead: " in done.stdout


@pytest.mark.parametrize(("spoiled", "told"), [("", "found an empty file"), (None, "found no file")])
def test_a_file_that_the_card_lost_leaves_its_last_good_copy_in_force_and_kept(machine: Path, spoiled: str | None, told: str) -> None:
    take()
    spoil(machine / "tileclock.toml", spoiled)
    for _ in range(2):
        done = take()
        assert (done.exit_code, done.stderr) == (0, "")
        assert done.stdout.startswith(f"settings not taken: {machine / 'tileclock.toml'}: expected ")
        assert told in done.stdout
        assert done.stdout.endswith(f"; in force instead: 4 from last good copy of {machine / 'tileclock.toml'}\n")
    (machine / "tileclock.toml").write_text("x", encoding="utf-8")
    assert "in force instead: 4 from last good copy of" in take().stdout


def test_where_nothing_was_ever_kept_a_spoiled_file_is_left_out(machine: Path) -> None:
    (machine / "tileclock.toml").write_text("x", encoding="utf-8")
    done = take()
    assert done.exit_code == 0
    assert done.stdout.endswith("; in force instead: all at their defaults\n")


def test_where_not_even_the_defaults_can_be_used_taking_leaves_with_2(machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_: object) -> None:
        raise SettingsError(expected="texts", found="none", remedy="Install Tileclock anew")

    monkeypatch.setattr("firmware.settings.named.require_usable", broken)
    done = take()
    assert (done.exit_code, done.stderr) == (2, "tileclock: expected texts, found none. Install Tileclock anew.\n")
    assert not (machine / "state").exists()


def test_taking_has_no_settings_of_its_own(machine: Path) -> None:
    done = take("--settings", str(machine / "tileclock.toml"))
    assert done.exit_code == 2
    assert "expected no settings before `take`" in done.stderr


def test_a_clock_whose_settings_are_gone_starts_with_the_last_good_ones_and_keeps_why_in_journal_and_log(machine: Path) -> None:
    take()
    (machine / "tileclock.toml").unlink()
    with notified(PROGRAM, machine) as process:
        process.send_signal(signal.SIGTERM)
        output, errors = process.communicate(timeout=PATIENCE_S)
    assert (process.returncode, errors) == (0, "")
    (note,) = [decode(kept.row.body) for kept in rows_in(machine / "journal.db") if kept.row.kind == Kind.NOTE]
    assert str(note["settings"]).startswith(f"{machine / 'tileclock.toml'}: expected settings, found no file. ")
    assert "in force instead: 4 from last good copy of" in output


def test_a_clock_whose_settings_were_spoiled_starts_with_the_last_good_ones_and_keeps_why_in_journal_and_log(machine: Path) -> None:
    take()
    (machine / "tileclock.toml").write_text(f"{GOOD}[buzzer\n", encoding="utf-8")
    with notified(PROGRAM, machine) as process:
        process.send_signal(signal.SIGTERM)
        output, errors = process.communicate(timeout=PATIENCE_S)
    assert (process.returncode, errors) == (0, "")
    why = f"{machine / 'tileclock.toml'}: expected TOML in UTF-8, found a fault: Expected ']' at the end of a table declaration (at line 8, column 8)"
    notes = [decode(kept.row.body) for kept in rows_in(machine / "journal.db") if kept.row.kind == Kind.NOTE]
    assert notes == [{"settings": f"{why}. Correct the line."}]
    assert f"settings not taken: {why}; in force instead: " in output


@pytest.mark.parametrize(
    ("spoiled", "told"), [("x", "expected TOML"), ("", "expected settings, found an empty file"), (None, "found no file")]
)
def test_who_asks_for_the_settings_is_told_what_is_wrong_and_nothing_is_made_good(machine: Path, spoiled: str | None, told: str) -> None:
    take()
    spoil(machine / "tileclock.toml", spoiled)
    done = CliRunner().invoke(main, ["config"])
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith(f"tileclock: {machine / 'tileclock.toml'}: ")
    assert told in done.stderr


def test_a_file_of_one_remark_says_that_the_defaults_are_meant(machine: Path) -> None:
    take()
    (machine / "tileclock.toml").write_text("# defaults\n", encoding="utf-8")
    assert take().stdout == "settings taken: all at their defaults\n"
    (machine / "tileclock.toml").unlink()
    assert take().stdout == "settings taken: all at their defaults\n"


def test_the_pinout_is_of_the_settings_board_and_where_they_are_spoiled_of_the_last_good_ones(machine: Path) -> None:
    take()
    shown = CliRunner().invoke(main, ["pinout", "--pi", "4"])
    assert (shown.exit_code, shown.stderr, shown.stdout.splitlines()[0]) == (0, "", "Ours, on a Raspberry Pi 4 (B, 400)")
    (machine / "tileclock.toml").write_text("x", encoding="utf-8")
    again = CliRunner().invoke(main, ["pinout", "--pi", "4"])
    assert (again.exit_code, again.stdout) == (0, shown.stdout)
    assert again.stderr.startswith(f"tileclock: settings not taken: {machine / 'tileclock.toml'}: expected TOML")
    assert again.stderr.count("\n") == 1
    named = CliRunner().invoke(main, ["pinout", "full", "--pi", "4"])
    assert (named.exit_code, named.stderr) == (0, "")


def test_the_pinout_is_of_the_full_board_where_no_settings_name_another(machine: Path) -> None:
    (machine / "tileclock.toml").unlink()
    shown = CliRunner().invoke(main, ["pinout", "--pi", "4"])
    assert (shown.exit_code, shown.stdout) == (0, CliRunner().invoke(main, ["pinout", "full", "--pi", "4"]).stdout)


def test_a_file_that_is_named_and_an_option_are_taken_or_refused_and_never_made_good(machine: Path) -> None:
    take()
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
