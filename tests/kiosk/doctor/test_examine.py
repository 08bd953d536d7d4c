from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from appliance.display.probe import Display
from appliance.errors import Diagnosis, Finding, PinLibraryMissing, State
from appliance.settings import RejectedSettings
from hardware.boards.board import load_board
from hardware.boards.pis import load_pi
from hardware.buttons.self_test import Interview
from hardware.doctor import Bench
from hardware.pins.contract import PinFactory
from kiosk import doctor as machine
from kiosk.cli.main import main
from kiosk.context import Trouble, TroubleKind
from kiosk.doctor import Live, examine, examine_live
from kiosk.doctor.parts import check_pins
from kiosk.settings import BoardSettings, Layered, merge
from kiosk.shell.choices import Choices
from lexicon.practice import PRACTICE
from tests.appliance.checks.test_voltage import system
from tests.appliance.records.refusing import bound_by_permissions, open_folder
from tests.hardware.buttons.test_interview import at_once
from tests.in_process import ran
from tests.kiosk.kept_pin import KEPT_PIN
from tests.kiosk.lexicons.files import cut, made, proven_here
from tests.kiosk.log.making import written
from tools.mock_board import MockBoard

__all__ = ["open_folder"]
QUIET = Live(None, None, None)
"""A running station without troubles of its own."""
WELL = Bench(probe=lambda: Display("x11", 1280, 720), environment={})


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    made(tmp_path / "list.dawg")
    with proven_here():
        yield tmp_path


def layered(folder: Path, **settings: object) -> Layered:
    chosen: dict[str, object] = {
        "lexicon.path": str(folder / "list.dawg"),
        "lexicon.folder": str(folder),
        "log.path": str(folder / "station.db"),
        "door.pin": KEPT_PIN,
        **{key.replace("__", "."): value for key, value in settings.items()},
    }
    return merge([("test", chosen)])


def failed(folder: Path, bench: Bench = WELL, **settings: object) -> list[Finding]:
    return [finding for finding in examine(layered(folder, **settings), bench) if finding.state is State.FAIL]


def test_on_a_machine_that_is_fit_nothing_fails(folder: Path) -> None:
    written(folder / "station.db")
    assert failed(folder) == []
    names = [finding.name for finding in examine(layered(folder), WELL)]
    assert ", ".join(names) == (
        "settings, rulebooks, texts, lexicon, lexicon folder, log folder, log, director's door, wall time, time keeper, power, screen, pins, printer"
    )


@pytest.mark.parametrize("found", ["missing", "cut", "of another alphabet", "another list"])
def test_a_lexicon_that_cannot_be_used_fails_with_its_file_and_what_to_do(tmp_path: Path, found: str) -> None:
    path = tmp_path / "list.dawg"
    more: dict[str, Any] = {}
    if found != "missing":
        made(path)
    if found == "cut":
        cut(path)
    if found == "of another alphabet":
        more["lexicon__alphabet"] = "spanish"
    if found == "another list":
        more["lexicon__sha256"] = "0" * 8
    (finding,) = failed(tmp_path, **more)
    assert finding.name == "lexicon"
    assert str(path) in finding.found
    assert finding.fix.endswith(".")


def test_each_division_is_examined_with_its_rulebook_and_its_list(folder: Path) -> None:
    made(folder / "open.dawg", name="OPEN LIST")
    sound = {"name": "Open", "tables": "1-20", "rulebook": "nzasp-2022", "lexicon": str(folder / "open.dawg")}
    practising = {"name": "School", "tables": "21", "lexicon": str(PRACTICE)}
    said = {finding.name: finding for finding in examine(layered(folder, divisions=[sound, practising]), WELL)}
    assert said["division Open"].state is State.OK
    assert said["division Open"].found.startswith("tables 1-20, NZASP Rules of Play")
    assert "OPEN LIST" in said["division Open"].found
    assert said["division School"].state is State.NOTE
    gone = {**sound, "lexicon": str(folder / "gone.dawg")}
    unruled = {**sound, "name": "Closed", "tables": "22", "rulebook": "nzasp-2023"}
    bad = failed(folder, divisions=[gone, unruled])
    assert [finding.name for finding in bad] == ["division Open", "division Closed"]
    assert str(folder / "gone.dawg") in bad[0].found
    assert "nzasp-2023" in bad[1].found
    live = examine_live(layered(folder, divisions=[gone]), QUIET, WELL)
    assert [finding.what.startswith("division Open: ") for finding in live if not finding.fine] == [True]


def test_a_log_that_is_not_what_was_written_fails(folder: Path) -> None:
    (folder / "station.db").write_bytes(b"no log")
    (folder / "station.db-lock").touch()
    (finding,) = failed(folder)
    assert finding.name == "log"
    assert str(folder / "station.db") in finding.found
    assert "it renames a damaged log" in finding.fix


def test_a_log_without_permission_to_read_is_reported_so_and_not_as_missing(open_folder: Path) -> None:
    made(open_folder / "list.dawg")
    home = open_folder / "home"
    home.mkdir()
    log = written(home / "station.db")
    assert failed(open_folder, log__path=str(log)) == []
    home.chmod(0)
    with bound_by_permissions():
        found = {finding.name: finding for finding in failed(open_folder, log__path=str(log))}
    home.chmod(0o755)
    assert found["log"].found == f"{log}: expected a log, found that you have no permission to read it"
    assert found["log"].fix == "Run the command with sudo."


def test_a_voice_is_examined_where_the_director_wants_one_also_at_the_desk(folder: Path) -> None:
    wanted = layered(folder, speech__enabled=True)
    assert [finding.found for finding in examine(wanted, WELL) if finding.name == "speech"] == ["espeak-ng speaks English"]
    assert "speech: espeak-ng speaks English" in [str(result.what) for result in examine_live(wanted, QUIET)]


def test_pins_and_a_printer_that_cannot_be_had_fail_with_what_to_do(folder: Path) -> None:
    def none(name: str, **_more: object) -> PinFactory:
        raise PinLibraryMissing(expected=f"the library {name}", found="none", remedy="Install it")

    bench = Bench(opener=none, probe=WELL.probe, environment={})
    pins, printer = failed(folder, bench, board__file="station", board__pins="gpiod", printer__port=str(folder / "ttyNone"))
    assert (pins.name, pins.fix) == ("pins", "Install it.")
    assert printer.name == "printer"


@pytest.mark.parametrize(
    ("settings", "names"),
    [
        ({"board__file": "nothing"}, ["board file"]),
        ({"own_rulebooks": ["/nowhere.toml"], "language": "tlh"}, ["rulebook /nowhere.toml", "texts"]),
    ],
)
def test_board_rulebook_and_language_that_cannot_be_used_fail(folder: Path, settings: dict[str, Any], names: list[str]) -> None:
    assert [finding.name for finding in failed(folder, **settings)] == names


def test_what_was_chosen_at_the_desk_is_told_and_its_lexicon_is_the_one_looked_at(folder: Path) -> None:
    other = made(folder / "other.dawg", ("AA",), name="OTHER")
    choices = Choices(layered(folder).settings)
    choices.store("lexicon", str(other))
    said = {finding.name: finding.found for finding in examine(layered(folder), WELL)}
    assert str(other) in said["chosen lexicon"]
    assert "OTHER" in said["lexicon"]
    choices.path.write_text("spoiled")
    assert [finding.name for finding in failed(folder)] == ["choices"]


def test_a_running_station_tells_its_own_troubles(folder: Path) -> None:
    assert all(finding.fine for finding in examine_live(layered(folder, printer__port="/dev/ttyX"), QUIET))
    ailing = Live(
        Trouble(TroubleKind.LEXICON_DAMAGED, Diagnosis("expected a list, found a hole", "Copy it anew")),
        Trouble(TroubleKind.LOG, Diagnosis("The log cannot be written: the disk is full", "Free some space")),
        Diagnosis("expected paper, found none", "Put in a roll"),
    )
    bad = [finding.what for finding in examine_live(layered(folder, printer__port="/dev/ttyX"), ailing) if not finding.fine]
    assert bad == [
        "judging: expected a list, found a hole. Copy it anew.",
        "writing the log: The log cannot be written: the disk is full. Free some space.",
        "printer: expected paper, found none. Put in a roll.",
    ]


def test_an_unset_date_is_a_note_and_power_that_is_too_weak_fails_in_both_self_tests(folder: Path) -> None:
    bench = replace(WELL, wall=lambda: datetime(1970, 1, 1, 0, 3, tzinfo=UTC), system=system(folder / "sys", "1\n"))
    (weak,) = failed(folder, bench)
    assert (weak.name, weak.found) == ("power", "the voltage is too low")
    (date,) = [finding for finding in examine(layered(folder), bench) if finding.name == "wall time"]
    assert date.found.startswith("1970-01-01 00:03 UTC cannot be right; only dates in the log and on slips are wrong with it")
    live = [finding for finding in examine_live(layered(folder), QUIET, bench) if not finding.fine]
    assert [finding.what for finding in live] == [
        "power: the voltage is too low. Use the supply made for this model (5.1 V, 2.5 to 5 A) with its own short cable, and take off what else draws from it."
    ]


def test_settings_that_are_not_in_force_fail_the_self_test_of_a_running_station(tmp_path: Path) -> None:
    refused = replace(
        layered(tmp_path),
        refused=RejectedSettings(Diagnosis("/boot/tilekiosk.toml: name: expected a valid string, found 3", "Correct it"), last_good=True),
    )
    (finding,) = [each for each in examine_live(refused, QUIET, WELL) if each.what.startswith("settings")]
    assert not finding.fine
    assert "/boot/tilekiosk.toml: name: expected a valid string, found 3; in force instead: 4 from test" in finding.what


def test_a_sound_board_is_told_in_a_line_on_a_pi_and_not_at_all_elsewhere() -> None:
    settings = BoardSettings(file="station", pins="mock")
    here = [finding.name for finding in check_pins(settings, lambda _, **_more: MockBoard(load_board("station")).factory, load_pi("5"))]
    elsewhere = [finding.name for finding in check_pins(settings, lambda _, **_more: MockBoard(load_board("station")).factory)]
    assert here[:2] == ["board file", "wiring"]
    assert "wiring" not in elsewhere


MS = 1_000_000


class _Finger:
    """Presses what it is asked for, by the name in the question."""

    def __init__(self) -> None:
        self.mock = MockBoard(load_board("station"))
        self.asked: list[str] = []

    def tell(self, sentence: str) -> None:
        if ", on GPIO" in sentence:
            self.asked.append(sentence)
            self.mock.press(sentence.partition(": ")[2].partition(",")[0], len(self.asked) * 1_000 * MS)


def test_the_self_test_asks_for_button_and_key_switch_by_name_pin_and_time_where_there_is_somebody_to_ask(tmp_path: Path) -> None:
    finger = _Finger()
    settings = {"board.file": "station", "board.pins": "gpiod", "log.path": str(tmp_path / "station.db"), "screen.kind": "none"}
    bench = Bench(opener=lambda _name, **_more: finger.mock.factory, environment={}, pi=lambda: None)
    found = [finding for finding in examine(merge([("test", settings)]), bench, Interview(finger.tell, at_once)) if "press" in finding.name]
    assert [(finding.name, finding.state) for finding in found] == [("press adjudicate", State.OK), ("press key", State.OK)]
    pins = {name: str(pin) for name, pin in finger.mock.board.buttons.items()}
    assert finger.asked == [
        f"Press: adjudicate, on {pins['adjudicate']}, within 20 s.",
        f"Turn on and off again: key, on {pins['key']}, within 20 s.",
    ]


def test_the_command_asks_on_standard_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[Interview | None] = []

    def found(_layered: object, interview: Interview | None = None) -> tuple[Finding, ...]:
        heard.append(interview)
        if interview is not None:
            interview.tell("Press: adjudicate")
        return ()

    monkeypatch.setattr(machine, "examine", found)
    log = ("--log", str(tmp_path / "station.db"))
    done = CliRunner().invoke(main, ["doctor", "--press", "--board", "station", "--pins", "gpiod", *log])
    assert (done.exit_code, done.stderr) == (0, "Press: adjudicate\n")
    assert CliRunner().invoke(main, ["doctor", *log]).exit_code == 0
    assert heard[1:] == [None]


@pytest.mark.parametrize(("board", "pins"), [("none", "gpiod"), ("station", "none"), ("station", "mock")])
def test_presses_cannot_be_asked_for_where_there_are_no_buttons(board: str, pins: str) -> None:
    done = CliRunner().invoke(main, ["doctor", "--press", "--board", board, "--pins", pins])
    assert done.exit_code == 2
    assert f"board.file is {board}, board.pins {pins}" in " ".join(done.stderr.split())


def test_it_prints_what_it_found_and_what_to_do_and_fails_where_something_does(tmp_path: Path) -> None:
    options = ("--lexicon", str(made(tmp_path / "list.dawg")), "--log", str(tmp_path / "station.db"), "--screen", "none")
    done = ran(main, "doctor", *options)
    assert (done.returncode, done.stderr) == (1, "")
    assert "EXAMPLE 2026" in done.stdout
    assert "Fix: Create one with `tilekiosk config pin`" in done.stdout
    assert done.stdout.splitlines()[-1].startswith("1 of ")
