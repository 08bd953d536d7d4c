"""A bad value in a settings file of either program is one sentence with its file, its key, what was found and what is allowed."""

from __future__ import annotations

from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from firmware.cli.main import main as tileclock
from kiosk.cli.main import main as tilekiosk
from tests.cells import each_cell

CLOCK: list[tuple[str, tuple[str, ...]]] = [
    ("rulebok = 1", ('found "rulebok"', "rulebook", "language")),
    ("[screen]\ncolour = 1", ('found "colour"', "layout", "fullscreen")),
    ("[sreen]\nlayout = 1", ('found "sreen"', "screen")),
    ("rulebook = 7", ("rulebook: expected ", "found 7", "string")),
    ('[board]\npins = "pigpio"', ("board.pins: expected ", 'found "pigpio"', "gpiod", "rpigpio", "mock", "none")),
    ('[board.remap]\nleft = "middle"', ("board.remap.left: expected ", 'found "middle"', "centre")),
    ('[board.remap]\nmiddle = "left"', ("board.remap.middle", "centre")),
    ('[board.remap]\nleft = "right"', ("board.remap: expected ", 'found {"left": "right"}', "buttons that change places")),
    ('[board.remap]\nleft = "ok"\nright = "ok"\nok = "left"', ("board.remap: expected ", "each named once on either side")),
    ('[screen]\nkind = "lcd"', ("screen.kind: expected ", 'found "lcd"', "window", "terminal", "none")),
    ('[screen]\nlayout = "wide"', ("screen.layout: expected ", 'found "wide"', "facing", "side_by_side", "single")),
    ('[screen]\nside = "both"', ("screen.side: expected ", 'found "both"', "left", "right")),
    ('[screen]\nfullscreen = "yes"', ("screen.fullscreen: expected ", 'found "yes"', "boolean")),
    ("[screen]\nrotate = 45", ("screen.rotate: expected ", "found 45", "0, 90, 180 or 270")),
    ("[screen]\nwidth = 20", ("screen.width: expected ", "found 20", "320")),
    ("[screen]\nwidth = 9000", ("screen.width: expected ", "found 9000", "3840")),
    ("[screen]\nheight = 600.5", ("screen.height: expected ", "found 600.5", "integer")),
    ("[screen]\nheight = true", ("screen.height: expected ", "found true", "integer")),
    ("[journal]\npath = 3", ("journal.path: expected ", "found 3", "string")),
    ("[buzzer]\nenabled = 1", ("buzzer.enabled: expected ", "found 1", "boolean")),
    ('own_rulebooks = "a.toml"', ("own_rulebooks: expected ", "a.toml", "tuple")),
    ("own_rulebooks = [1]", ("own_rulebooks.0: expected ", "found 1", "string")),
    (
        "board = 3",
        (
            "board: expected ",
            "found 3",
        ),
    ),
    ("rulebook = ", ("expected TOML",)),
    ("rulebook = 2026-01-01", ("rulebook: expected ", "2026-01-01", "string")),
]

STATION: list[tuple[str, tuple[str, ...]]] = [
    ('nam = "x"', ('found "nam"', "name", "language")),
    ("name = 7", ("name: expected ", "found 7", "string")),
    ('name = ""', ("name: expected 1 to 40 characters",)),
    ('name = " x"', ("name: expected 1 to 40 characters in one line, with no blank at the beginning or the end",)),
    ('name = "x\\n"', ("expected 1 to 40 characters in one line",)),
    ('name = "%s"' % ("x" * 41), ("name: expected ", "expected 1 to 40 characters")),
    ('keyboard = "dvorak"', ("keyboard: expected ", 'found "dvorak"', "abc", "qwerty", "azerty", "qwertz", "auto")),
    ('[screen]\nkind = "terminal"', ("screen.kind: expected ", 'found "terminal"', "window", "none")),
    ("[screen]\nrotate = 45", ("screen.rotate: expected ", "found 45", "0, 90, 180 or 270")),
    ("[screen]\nwidth = 319", ("screen.width: expected ", "found 319", "320")),
    ("[screen]\nmillimetres = 5", ("screen.millimetres: expected ", "found 5", "50")),
    ('[screen]\nleft_handed = "yes"', ("screen.left_handed: expected ", 'found "yes"', "boolean")),
    ("[flow]\nidle_s = 14", ("flow.idle_s: expected ", "found 14", "15")),
    ("[flow]\nidle_s = 601", ("flow.idle_s: expected ", "found 601", "600")),
    ("[flow]\nidle_s = 45.5", ("flow.idle_s: expected ", "found 45.5", "integer")),
    ("[flow]\nwords_s = 119", ("flow.words_s: expected ", "found 119", "120")),
    ("[flow]\nstill_there_s = 29", ("flow.still_there_s: expected ", "found 29", "30")),
    ("[flow]\nverdict_s = 0", ("flow.verdict_s: expected ", "found 0", "1")),
    ("[flow]\nleast_ms = 499", ("flow.least_ms: expected ", "found 499", "500")),
    ("[flow]\nrepeats = -1", ("flow.repeats: expected ", "found -1", "0")),
    ("[flow]\njudge_unlogged = 1", ("flow.judge_unlogged: expected ", "found 1", "boolean")),
    ('[lexicon]\nsha256 = "XYZ"', ("lexicon.sha256: expected 8 to 64 hex digits",)),
    ("[log]\npath = 3", ("log.path: expected ", "found 3", "string")),
    ('[door]\npin = "1234"', ("door.pin: expected ", 'found "1234"', "tilekiosk config pin")),
    ('[door]\npin = "scrypt$16383$8$1$AAAA$AAAA"', ("door.pin: expected ", "tilekiosk config pin")),
    ('[door]\npin = "scrypt$1048576$8$1$AAAA$AAAA"', ("door.pin: expected ", "tilekiosk config pin")),
    ('[door]\npin = "scrypt$16384$8$1$A$AAAA"', ("door.pin: expected ", "tilekiosk config pin")),
    ('[board]\npins = "pigpio"', ("board.pins: expected ", 'found "pigpio"', "gpiod", "rpigpio", "mock", "none")),
    ("[printer]\nwidth = 5", ("printer.width: expected ", "found 5", "20")),
    ('[printer]\nflow = "yes"', ("printer.flow: expected ", 'found "yes"', "rts", "xon")),
    ("own_rulebooks = [1]", ("own_rulebooks.0: expected ", "found 1", "string")),
    (
        "flow = 3",
        (
            "flow: expected ",
            "found 3",
        ),
    ),
    ("name = ", ("expected TOML",)),
]


@pytest.mark.parametrize(
    ("program", "main", "bad"), [("tileclock", tileclock, CLOCK), ("tilekiosk", tilekiosk, STATION)], ids=["clock", "station"]
)
def test_a_bad_value_is_told_with_its_file_its_key_what_was_found_and_what_is_allowed(
    program: str, main: click.Command, bad: list[tuple[str, tuple[str, ...]]], tmp_path: Path
) -> None:
    path = tmp_path / "own.toml"
    for cell in each_cell(bad, lambda wrong: wrong[0]):
        with cell as (text, named):
            path.write_text(text, encoding="utf-8")
            done = CliRunner().invoke(main, ["config", "--settings", str(path)])
            assert done.exit_code == 2
            assert done.stderr.startswith(f"{program}: {path}: ")
            assert done.stderr.count("\n") == 1
            assert [word for word in named if word not in done.stderr] == []
            # Pydantic's own words.
            assert "should" not in done.stderr
            assert "pattern" not in done.stderr
