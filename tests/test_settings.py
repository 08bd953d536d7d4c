import re
import signal
import sys
from itertools import product
from pathlib import Path

import pytest
from click.testing import Result
from msgspec import Struct

from appliance.errors import BoardError, Diagnosis, SettingsError
from faults.errors import TileclockError
from firmware.journal.writer import JournalWriter, open_journal
from game import events as ev
from game.exact_json import decode
from game.history import begin
from kiosk.log import Log
from records.entry import Entry
from records.entry import Kind as LogKind
from records.journal import GameStamp, Kind, rows_of
from rules.rulebooks import load_rulebook
from rules.side import BySide
from tests.appliance.records.refusing import bound_by_permissions, open_folder
from tests.cells import each_cell
from tests.errors import refused
from tests.firmware.shell.rig import rows_in
from tests.kiosk.log.making import CLOCKS, S, append
from tests.kiosk.log.making import STATION as STATION_NAME
from tests.kiosk.shell.rig import entries_in
from tests.processes import PATIENCE_S, ready
from tests.programs import CLOCK, STATION, Program, both_programs

__all__ = ["open_folder"]

pytestmark = both_programs

OURS = 'id = "ours"\nextends = "club"\ntitle = "Ours"\nsummary = "As in our club."\n'
BOARDS = {
    CLOCK.name: 'title = "Ours"\nkind = "two-button"\n[buttons.left]\ngpio = 5\nresistor = 330\npull_up = 2700\n[buttons.right]\ngpio = 6\nresistor = 330\npull_up = 2700\n',
    STATION.name: 'title = "Ours"\nkind = "station"\n[buttons.adjudicate]\ngpio = 5\nresistor = 330\npull_up = 2700\n',
}
LOST = [("x", "expected TOML"), ("", "expected settings, found an empty file"), (None, "found no file")]
"""What a failing card leaves of the settings file (None: no file), and the message about it."""


class Machine(Struct, frozen=True, dict=True):
    program: Program
    file: Path

    @property
    def good(self) -> str:
        return (
            'rulebook = "ours.toml"\n[screen]\nkind = "none"\n[board]\nfile = "board.toml"\npins = "mock"\n'
            f'[{self.program.record}]\npath = "record.db"\n'
        )

    @property
    def folder(self) -> Path:
        return self.file.parent

    @property
    def files(self) -> dict[str, str]:
        return {self.file.name: self.good, "ours.toml": OURS, "board.toml": BOARDS[self.program.name]}

    def restore(self) -> None:
        for name, text in self.files.items():
            (self.folder / name).write_text(text, encoding="utf-8")

    def spoil(self, text: str | None = "x") -> None:
        if text is None:
            self.file.unlink()
        else:
            self.file.write_text(text, encoding="utf-8")

    def take(self) -> Result:
        done = self.program.run("config", "take")
        assert (done.exit_code, done.stderr) == (0, "")
        return done


PROGRAM = """
import sys
from pathlib import Path
import {places} as places
folder = Path(sys.argv[1])
places.SYSTEM_FILE, places.BOOT_FILES = folder / "system.toml", (folder / "{name}.toml",)
from {package}.cli.main import main
main(sys.argv[2:])
"""


@pytest.fixture
def machine(program: Program, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Machine:
    machine = Machine(program, program.own_places(monkeypatch, tmp_path))
    machine.restore()
    return machine


def recorded(machine: Machine) -> str:
    path = machine.folder / "record.db"
    if machine.program is STATION:
        return entries_in(path)[0].why or ""
    (note,) = [decode(kept.row.body) for kept in rows_in(path) if kept.row.kind == Kind.NOTE]
    return str(note["settings"])


def test_good_files_are_kept_with_the_rulebook_and_the_board_that_they_name_and_no_other_user_reads_them(machine: Machine) -> None:
    assert machine.take().stdout == f"settings taken: 5 from {machine.file}\n"
    kept = machine.folder / "state" / "last-good" / str(machine.folder).lstrip("/")
    assert {each.name: each.read_text() for each in kept.iterdir()} == machine.files
    assert all(each.stat().st_mode & 0o007 == 0 for each in kept.iterdir())


def test_a_spoiled_file_fails_no_boot_and_is_told_with_its_name_its_place_and_what_was_expected(machine: Machine) -> None:
    good, ours, board = machine.files.values()
    spoiled = [
        (machine.file.name, f"{good}[machine\n", "found a fault: Expected ']' at the end of a table declaration (at line 9, column 9)"),
        (machine.file.name, good.replace('"none"', '"lcd"'), 'screen.kind: expected "none"'),
        (machine.file.name, good.replace("ours", "naspa-2071"), "naspa-2071"),
        (machine.file.name, f'language = "tlh"\n{good}', "'tlh'"),
        (machine.file.name, f'own_rulebooks = ["none.toml"]\n{good}', "none.toml"),
        ("board.toml", board.replace("gpio = 5", "gpio = 60"), "expected a GPIO number on the 40-pin header, 2 to 27, found 60"),
        ("ours.toml", ours.replace('"club"', '"clubb"'), "clubb"),
    ]
    for cell in each_cell(spoiled):
        with cell as (file, text, reported):
            machine.restore()
            machine.take()
            (machine.folder / file).write_text(text, encoding="utf-8")
            done = machine.take()
            assert done.stdout.startswith("settings not taken: ")
            assert str(machine.folder / file) in done.stdout
            assert reported in done.stdout
            assert "in force instead: 5 from " in done.stdout


def test_a_spoiled_own_rulebook_that_is_only_offered_is_replaced_by_its_last_good_copy(machine: Machine) -> None:
    machine.spoil(machine.good.replace('rulebook = "ours.toml"', 'own_rulebooks = ["ours.toml"]'))
    assert machine.take().stdout == f"settings taken: 5 from {machine.file}\n"
    (machine.folder / "ours.toml").write_text("x", encoding="utf-8")
    for _ in range(2):
        assert f"in force instead: 5 from {machine.file}\n" in machine.take().stdout
    in_force = machine.program.settings.take({}).settings
    assert [Path(each).read_text() for each in in_force.own_rulebooks] == [OURS]


def test_where_not_even_the_defaults_can_be_used_taking_leaves_with_2(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_: object) -> None:
        raise SettingsError(expected="texts", found="none", remedy="Install it anew")

    monkeypatch.setattr(f"{machine.program.places.__name__}.require_usable", broken)
    refused(machine.program.run("config", "take"), expected="texts", found="none")
    assert not (machine.folder / "state").exists()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("x", "expected TOML in UTF-8, found a fault: Expected '=' after a key in a key/value pair (at end of document)"),
        (None, "expected settings, found no file"),
    ],
)
def test_a_program_whose_settings_are_spoiled_starts_with_the_last_good_ones_and_says_why_in_its_record_and_its_output(
    machine: Machine, text: str | None, why: str
) -> None:
    machine.take()
    machine.spoil(text)
    program = machine.program
    command = (
        sys.executable,
        "-c",
        PROGRAM.format(package=program.package, places=program.places.__name__, name=program.name),
        str(machine.folder),
        "run",
    )
    with ready(command, machine.folder, STATE_DIRECTORY=str(machine.folder / "state")) as process:
        process.send_signal(signal.SIGTERM)
        output, errors = process.communicate(timeout=PATIENCE_S)
    assert (process.returncode, errors) == (0, "")
    assert f"settings not taken: {machine.file}: {why}" in output
    assert f"in force instead: 5 from last good copy of {machine.file}" in output
    assert f"{machine.file}: {why}" in recorded(machine)


def test_who_asks_for_the_settings_is_told_what_is_wrong_and_nothing_is_made_good(machine: Machine) -> None:
    machine.take()
    for cell in each_cell(LOST):
        with cell as (text, reported):
            machine.spoil(text)
            done = machine.program.run("config")
            assert done.stdout == ""
            error = refused(done, where=str(machine.file))
            assert isinstance(error, SettingsError)
            assert reported in error.problem


def test_taking_has_no_settings_of_its_own_and_an_option_is_taken_or_refused_and_never_made_good(machine: Machine) -> None:
    machine.take()
    bad = machine.folder / "bad.toml"
    bad.write_text("x", encoding="utf-8")
    for words in (("--settings", str(bad)), ("--width", "3"), ("--board", "nix")):
        done = machine.program.run("run", *words)
        refused(done)
    done = machine.program.run("config", "--settings", machine.file, "take")
    assert done.exit_code == 2
    assert "expected no settings before `take`" in done.stderr


def test_paths_in_a_file_begin_at_that_file_whichever_folder_one_starts_in(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    machine.spoil(f'own_rulebooks = ["./ours.toml", "club"]\n{machine.good}')
    monkeypatch.chdir("/")
    done = machine.program.run("config", "--changed")
    said = done.stdout.splitlines()
    for line in (
        f'rulebook = "{machine.folder}/ours.toml"',
        f'own_rulebooks = ["{machine.folder}/ours.toml", "club"]',
        f'board.file = "{machine.folder}/board.toml"',
        f'{machine.program.record}.path = "{machine.folder}/record.db"',
    ):
        assert f"{line}  # {machine.file}" in said


def findings(doctor: Result) -> dict[str, str]:
    """Return what was checked, and how it was; but not how fast commits are, which changes while this machine is busy."""
    lines = [line for line in doctor.stdout.splitlines() if line.startswith(("ok ", "note ", "fail "))]
    return {name: line.split()[0] for line in lines if (name := line[6:].split("  ")[0]) != "commits"}


def test_a_doctor_of_spoiled_settings_says_so_in_one_finding_and_looks_at_all_else_with_the_last_good_ones(machine: Machine) -> None:
    machine.take()
    well = findings(machine.program.run("doctor"))
    assert well["settings"] == "ok"
    for cell in each_cell(LOST):
        with cell as (text, reported):
            machine.spoil(text)
            done = machine.program.run("doctor")
            assert (done.exit_code, done.stderr) == (1, "")
            assert findings(done) == {**well, "settings": "fail"}
            said = "".join(done.stdout.split())
            assert f"fail settings {machine.file}:".replace(" ", "") in said
            assert reported.replace(" ", "") in said
            assert "5fromlastgoodcopyof" in said
            assert "Thenrestart." in said
            assert re.search("^ok +board file +board: ", done.stdout, re.MULTILINE)


def test_a_doctor_where_nothing_was_ever_kept_looks_at_all_else_with_the_defaults(machine: Machine) -> None:
    machine.spoil()
    program = machine.program
    done = program.run("doctor", "--pins", "mock", "--screen", "none", f"--{program.record}", machine.folder / "record.db")
    assert (done.exit_code, done.stderr) == (1, "")
    assert findings(done)["settings"] == "fail"
    assert "in force instead: 3 from options" in " ".join(done.stdout.split())
    assert not (machine.folder / "state").exists()


def test_a_doctor_with_an_option_or_a_named_file_at_fault_leaves_with_2_whatever_the_machines_files_are(machine: Machine) -> None:
    machine.take()
    bad = machine.folder / "bad.toml"
    bad.write_text("x", encoding="utf-8")
    for spoiled in (False, True):
        if spoiled:
            machine.spoil()
        for words, where in ((("--settings", str(bad)), str(bad)), (("--width", "3"), "options: screen.width")):
            done = machine.program.run("doctor", *words)
            assert done.stdout == ""
            refused(done, where=where)


def test_the_pinout_is_of_the_settings_board_and_where_they_are_spoiled_of_the_last_good_ones(machine: Machine) -> None:
    machine.take()
    program = machine.program
    shown = program.run("pinout", "--pi", "4")
    assert (shown.exit_code, shown.stderr, shown.stdout.splitlines()[0]) == (0, "", "Ours, on a Raspberry Pi 4 (B, 400)")
    machine.spoil()
    again = program.run("pinout", "--pi", "4")
    assert (again.exit_code, again.stdout) == (0, shown.stdout)
    assert again.stderr.startswith(f"{program.name}: settings not taken: {machine.file}: expected TOML")
    assert again.stderr.count("\n") == 1


def test_the_pinout_is_of_the_shipped_board_where_no_settings_name_another(machine: Machine) -> None:
    machine.spoil(None)
    shipped, said = {
        CLOCK.name: ("full", ""),
        STATION.name: (
            "station",
            'tilekiosk: the settings name no board, so this is the shipped one; to use it: board.file = "station".\n',
        ),
    }[machine.program.name]
    shown, named = machine.program.run("pinout", "--pi", "4"), machine.program.run("pinout", shipped, "--pi", "4")
    assert (shown.exit_code, shown.stdout, shown.stderr) == (0, named.stdout, said)
    assert named.stderr == ""


VERBS = {"tileclock": ("list", "show", "export", "verify"), "tilekiosk": ("list", "export", "verify")}
"""The verbs that read a record."""


@pytest.fixture
def path(program: Program, tmp_path: Path) -> Path:
    path = tmp_path / "record.db"
    if program is not CLOCK:
        with Log(path, CLOCKS) as log:
            append(log, Entry(LogKind.STARTED), S, STATION_NAME)
        return path
    writer = JournalWriter(open_journal(path).path, lambda progress: None)
    record = begin(ev.NewGame(load_rulebook("club"), "club", BySide(None, None)), 0)
    writer.put(rows_of(None, record, 1, GameStamp(0, 0, "boot", "2026-07-03T10:00:00Z")))
    assert writer.close(30)
    return path


@pytest.fixture
def file(program: Program, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    return program.own_places(monkeypatch, tmp_path)


def naming(program: Program, path: Path | str) -> str:
    return f'[{program.record}]\npath = "{path}"\n'


def test_without_an_option_every_verb_reads_the_record_that_the_settings_name(program: Program, path: Path, file: Path) -> None:
    file.write_text(naming(program, path))
    for cell in each_cell(VERBS[program.name]):
        with cell as verb:
            done, named = program.run(program.record, verb), program.run(program.record, verb, f"--{program.record}", path)
            assert (done.exit_code, done.stdout, done.stderr) == (0, named.stdout, "")


def test_a_record_that_is_not_there_is_an_error_and_the_option_wins_over_the_settings(program: Program, file: Path, path: Path) -> None:
    file.write_text(naming(program, "/nowhere/record.db"))
    done = program.run(program.record, "list")
    assert done.stdout == ""
    remedy = re.compile(f"^Name another one with --{program.record}, or start the ")
    refused(done, where="/nowhere/record.db", found="no such file", remedy=remedy)
    file.write_text("no TOML")
    assert program.run(program.record, "verify", f"--{program.record}", path).exit_code == 0


def test_with_spoiled_settings_the_last_good_ones_record_is_read_and_a_line_says_so(program: Program, path: Path, file: Path) -> None:
    file.write_text(naming(program, path))
    program.settings.take({})
    file.write_text(f"[{program.record}]\npath = 7\n")
    for cell in each_cell(VERBS[program.name]):
        with cell as verb:
            done, named = program.run(program.record, verb), program.run(program.record, verb, f"--{program.record}", path)
            assert (done.exit_code, done.stdout) == (0, named.stdout)
            assert done.stderr.startswith(
                f"{program.name}: settings not taken: {file}: {program.record}.path: expected a valid string, found 7"
            )
            assert done.stderr.endswith(f"; in force instead: 1 from last good copy of {file}\n")
            assert done.stderr.count("\n") == 1


def test_with_no_good_settings_kept_the_record_is_the_usual_one(program: Program, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("appliance.records.files.is_missing", lambda _: True)
    file.write_text(f"[{program.record}]\npath = 7\n")
    usual = {"tileclock": "/var/lib/tileclock/journal.db", "tilekiosk": "/var/lib/tilekiosk/station.db"}[program.name]
    for cell in each_cell(VERBS[program.name]):
        with cell as verb:
            done = program.run(program.record, verb)
            assert (done.exit_code, done.stdout) == (2, "")
            said, missing = done.stderr.splitlines()
            assert said.endswith("in force instead: all at their defaults")
            assert missing.startswith(f"{program.name}: {usual}: expected a {program.record}, found no such file. ")
            assert not (file.parent / "state").exists()


def test_whoever_may_not_look_at_the_record_is_told_so_and_not_that_there_is_none(
    program: Program, path: Path, open_folder: Path, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = open_folder / "home"
    home.mkdir()
    named = path.rename(home / "record.db")
    file.write_text(naming(program, named))
    monkeypatch.chdir(open_folder)
    for cell in each_cell(product([*((verb,) for verb in VERBS[program.name]), ("export", "-o", "record.txt")], (home, named))):
        with cell as (words, closed):
            assert program.run(program.record, *words).exit_code == 0
            mode = closed.stat().st_mode
            closed.chmod(0)
            with bound_by_permissions():
                done = program.run(program.record, *words)
                given = program.run(program.record, *words, f"--{program.record}", named)
            closed.chmod(mode)
            assert (done.exit_code, done.stdout) == (2, "")
            assert done.stderr == (
                f"{program.name}: {named}: expected a {program.record}, found that you have no permission to read it. "
                "Run the command with sudo.\n"
            )
            assert given.stderr == done.stderr


NAMED = [
    ('[board]\nfile = "ful"\n', "board.file", "'ful'"),
    ('rulebook = "naspa-2071"\n', "rulebook", '"naspa-2071"'),
    ('own_rulebooks = ["naspa-2071"]\n', "own_rulebooks", '"naspa-2071"'),
    ('language = "xx"\n', "language", "'xx'"),
    ('[board]\nfile = "own.toml"\n', "board.file", "no such file or directory"),
    ('own_rulebooks = ["none.toml"]\n', "own_rulebooks", "no such file or directory"),
]


WRONG = {
    CLOCK.name: NAMED,
    STATION.name: [
        *NAMED,
        ('[lexicon]\nalphabet = "runes"\n', "lexicon.alphabet", '"runes"'),
        ('[lexicon]\nalphabet = "runes.toml"\n', "lexicon.alphabet", "no such file or directory"),
    ],
}


def refusal(program: Program) -> Diagnosis | TileclockError:
    rejected = program.settings.take({}).refused
    assert rejected is not None
    return rejected.why


def test_config_and_run_refuse_what_the_settings_name_wrongly_with_key_and_file(program: Program, file: Path) -> None:
    for cell in each_cell(WRONG[program.name]):
        with cell as (text, key, found):
            file.write_text(text)
            why = refusal(program)
            assert why.problem.startswith(f"{file}: {key}: ")
            assert why.problem.endswith(f"found {found}")
            for words in (("config",), ("config", "--settings", str(file)), ("run", "--settings", str(file))):
                done = program.run(*words)
                assert (done.exit_code, done.stderr) == (2, f"{program.name}: {why}\n")


@pytest.mark.usefixtures("file")
def test_an_options_wrong_name_has_no_file_before_it(program: Program) -> None:
    done = program.run("config", "--board", "ful")
    assert isinstance(refused(done, where="", found="'ful'"), BoardError)


def test_a_file_that_windows_has_named_txt_is_told_of_by_taking_and_by_the_self_test(program: Program, file: Path, tmp_path: Path) -> None:
    strange = file.with_name(f"{file.name}.txt")
    strange.write_text("# mine\n")
    taken = program.run("config", "take")
    assert (taken.exit_code, taken.stdout.startswith(f"settings not taken: {strange}: expected the name {file.name}")) == (0, True)
    done = program.run("doctor", "--pins", "none", "--screen", "none", f"--{program.record}", str(tmp_path / "record.db"))
    assert done.exit_code == 1
    assert "Rename the file" in " ".join(done.stdout.split())


SHARED: list[tuple[str, tuple[str, ...]]] = [
    ("[screen]\nrotate = 45", ("screen.rotate: expected ", "found 45", "0, 90, 180 or 270")),
    ('[board]\npins = "pigpio"', ("board.pins: expected ", 'found "pigpio"', "gpiod", "rpigpio", "mock", "none")),
    ("name = ", ("expected TOML",)),
]
BAD: dict[str, list[tuple[str, tuple[str, ...]]]] = {
    CLOCK.name: [
        *SHARED,
        ("rulebok = 1", ('found "rulebok"', "rulebook", "language")),
        ("[sreen]\nlayout = 1", ('found "sreen"', "screen")),
        ('[board.remap]\nleft = "middle"', ("board.remap.left: expected ", 'found "middle"', "centre")),
        ('[board.remap]\nmiddle = "left"', ("board.remap: expected one of the keys ", "centre")),
        ('[board.remap]\nleft = "right"', ("board.remap: expected ", 'found {"left": "right"}', "buttons that change places")),
        ('[board.remap]\nleft = "ok"\nright = "ok"\nok = "left"', ("board.remap: expected ", "each named once on either side")),
        ('[screen]\nkind = "lcd"', ("screen.kind: expected ", 'found "lcd"', "window", "terminal", "none")),
        ('[screen]\nlayout = "wide"', ("screen.layout: expected ", 'found "wide"', "facing", "side_by_side", "single")),
        ('[screen]\nside = "both"', ("screen.side: expected ", 'found "both"', "left", "right")),
        ("[screen]\nwidth = 20", ("screen.width: expected ", "found 20", "320")),
        ("[screen]\nwidth = 9000", ("screen.width: expected ", "found 9000", "3840")),
        ('own_rulebooks = "a.toml"', ("own_rulebooks: expected ", "a.toml", "tuple")),
    ],
    STATION.name: [
        *SHARED,
        ('nam = "x"', ('found "nam"', "name", "language")),
        ('name = ""', ("name: expected 1 to 40 characters",)),
        ('name = " x"', ("name: expected 1 to 40 characters in one line, with no blank at the beginning or the end",)),
        ('name = "x\\n"', ("expected 1 to 40 characters in one line",)),
        ('name = "%s"' % ("x" * 41), ("name: expected ", "expected 1 to 40 characters")),
        ('keyboard = "dvorak"', ("keyboard: expected ", 'found "dvorak"', "abc", "qwerty", "azerty", "qwertz", "auto")),
        ('[screen]\nkind = "terminal"', ("screen.kind: expected ", 'found "terminal"', "window", "none")),
        ("[screen]\nwidth = 319", ("screen.width: expected ", "found 319", "320")),
        ("[screen]\nmillimetres = 5", ("screen.millimetres: expected ", "found 5", "50")),
        ("[flow]\nidle_s = 14", ("flow.idle_s: expected ", "found 14", "15")),
        ("[flow]\nwords_s = 119", ("flow.words_s: expected ", "found 119", "120")),
        ("[flow]\nstill_there_s = 29", ("flow.still_there_s: expected ", "found 29", "30")),
        ("[flow]\nverdict_s = 0", ("flow.verdict_s: expected ", "found 0", "1")),
        ("[flow]\nleast_ms = 499", ("flow.least_ms: expected ", "found 499", "500")),
        ('[door]\npin = "scrypt$1048576$8$1$AAAA$AAAA"', ("door.pin: expected ", "tilekiosk config pin")),
        ("[flow]\nidle_s = 601", ("flow.idle_s: expected ", "found 601", "600")),
        ("[flow]\nrepeats = -1", ("flow.repeats: expected ", "found -1", "0")),
        ('[lexicon]\nsha256 = "XYZ"', ("lexicon.sha256: expected 8 to 64 hex digits",)),
        ('[door]\npin = "1234"', ("door.pin: expected ", 'found "1234"', "tilekiosk config pin")),
        ('[door]\npin = "scrypt$16383$8$1$AAAA$AAAA"', ("door.pin: expected ", "tilekiosk config pin")),
        ('[door]\npin = "scrypt$16384$8$1$A$AAAA"', ("door.pin: expected ", "tilekiosk config pin")),
        ("[printer]\nwidth = 5", ("printer.width: expected ", "found 5", "20")),
        ('[printer]\nflow = "yes"', ("printer.flow: expected ", 'found "yes"', "rts", "xon")),
    ],
}


def test_a_bad_value_is_told_with_its_file_its_key_what_was_found_and_what_is_allowed(program: Program, tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    for cell in each_cell(BAD[program.name], lambda wrong: wrong[0]):
        with cell as (text, named):
            path.write_text(text, encoding="utf-8")
            done = program.run("config", "--settings", path)
            assert done.exit_code == 2
            assert done.stderr.startswith(f"{program.name}: {path}: ")
            assert done.stderr.count("\n") == 1
            assert [word for word in named if word not in done.stderr] == []
            # A library's own words.
            assert "should" not in done.stderr
            assert "pattern" not in done.stderr
