"""``tileclock doctor`` where the machine's settings cannot be used: that is one finding of many."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from firmware.cli.main import main
from tests.firmware.cli.machines import machine, spoil, take

__all__ = ["machine"]


def _names(doctor: Result) -> list[str]:
    return [line[6:].split("  ")[0] for line in doctor.stdout.splitlines() if line.startswith(("ok ", "note ", "fail "))]


@pytest.mark.parametrize(
    ("spoiled", "told"), [("x", "expected TOML"), ("", "expected settings, found an empty file"), (None, "found no file")]
)
def test_a_doctor_of_spoiled_settings_says_so_in_one_finding_and_looks_at_all_else_with_the_last_good_ones(
    machine: Path, spoiled: str | None, told: str
) -> None:
    take()
    well = CliRunner().invoke(main, ["doctor"])
    assert (well.exit_code, well.stderr) == (0, "")
    spoil(machine / "tileclock.toml", spoiled)
    done = CliRunner().invoke(main, ["doctor"])
    assert (done.exit_code, done.stderr) == (1, "")
    assert _names(done) == _names(well)
    assert done.stdout.split()[:3] == ["fail", "settings", f"{machine / 'tileclock.toml'}:"]
    said = "".join(line.strip() for line in done.stdout.splitlines())
    assert told.replace(" ", "") in said.replace(" ", "")
    assert "4fromlastgoodcopyof" in said.replace(" ", "")
    assert "Then restart." in done.stdout
    assert "board: Ours" in done.stdout
    assert done.stdout.splitlines()[-1] == f"1 of {len(_names(done))} checks failed."


def test_a_doctor_where_nothing_was_ever_kept_looks_at_all_else_with_the_defaults(machine: Path) -> None:
    (machine / "tileclock.toml").write_text("x", encoding="utf-8")
    options = ("--pins", "mock", "--screen", "none", "--journal", str(machine / "journal.db"))
    done = CliRunner().invoke(main, ["doctor", *options])
    assert (done.exit_code, done.stderr, done.stdout.splitlines()[-1]) == (1, "", f"1 of {len(_names(done))} checks failed.")
    assert "in force instead: 3 from options" in " ".join(done.stdout.split())
    assert not (machine / "state").exists()


def test_a_doctor_with_an_option_or_a_named_file_at_fault_leaves_with_2_whatever_the_machines_files_are(machine: Path) -> None:
    take()
    bad = machine / "bad.toml"
    bad.write_text("x", encoding="utf-8")
    for spoiled in (False, True):
        if spoiled:
            (machine / "tileclock.toml").write_text("x", encoding="utf-8")
        for words, told in ((("--settings", str(bad)), f"{bad}: expected TOML"), (("--width", "3"), "options: screen.width: expected ")):
            done = CliRunner().invoke(main, ["doctor", *words])
            assert (done.exit_code, done.stdout) == (2, "")
            assert done.stderr.startswith(f"tileclock: {told}")
