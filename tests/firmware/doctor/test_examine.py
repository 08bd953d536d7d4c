import errno
import itertools
import sqlite3
import sys
import time
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from appliance.display.probe import Display, probe_display, read_answer
from appliance.errors import Diagnosis, Finding, PinUnavailable, State
from appliance.power import Power
from appliance.records.rows import CHECKED_ROWS
from appliance.settings import check_settings
from appliance.texts import check_texts, languages
from firmware.cli.main import main
from firmware.doctor.examine import (
    AMPLE,
    COLUMNS,
    MIB,
    ROOM,
    ROWS,
    Machine,
    Parade,
    check_board,
    check_boot,
    check_disk,
    check_journal,
    check_led,
    check_pins,
    check_screen,
    check_weak_power,
    examine,
)
from firmware.journal.writer import Store
from firmware.settings import BoardSettings, ScreenSettings, merge
from firmware.texts import load_texts
from hardware.boards.board import load_board
from hardware.boards.pis import Pi, load_pi, pi_ids
from hardware.buttons.self_test import Interview
from hardware.doctor import check_speech
from hardware.led.picture import ALL_LIT, DARK, cells, lit
from hardware.led.port import LedPort
from hardware.pins.contract import PinFactory
from hardware.pins.mock import MockPins
from hardware.pins.opening import FactoryName, open_factory
from hardware.settings import LedLine
from records.journal import GameStamp, Kind, Row
from rules.contact import MS
from rules.side import BySide
from tests.appliance.records.refusing import no_file_larger
from tests.firmware.shell.rig import Hand, held, rig
from tests.hardware.buttons.test_interview import at_once
from tests.some import of_kind
from tools.led_displays import FakeLed
from tools.mock_board import MockBoard

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
LAMP_PULLED_UP = 'title = "T"\nkind = "two-button"\n[buttons.left]\ngpio = 5\n[buttons.right]\ngpio = 6\n[lamps.left]\ngpio = 7\n'


def says(finding: Finding, state: State, found: str = "", fix: str = "") -> None:
    assert finding.state is state
    assert found in finding.found
    assert fix in finding.fix


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.db"


def _disk(path: Path, now: Callable[[], int] = time.monotonic_ns, free: int = AMPLE) -> dict[str, Finding]:
    return {finding.name: finding for finding in check_disk(path, now, lambda _folder: free)}


def _append(path: Path, *rows: Row) -> None:
    store = Store(path)
    store.append(rows, GameStamp(rows[-1].at, rows[-1].at, "boot", "wall"))
    store.close()


def _journal(path: Path) -> None:
    _append(path, *(Row(Kind.NOTE, 0, None, number, number, "boot", "wall", f'{{"row":{number}}}') for number in (1, 2, 3)))


def test_a_good_disk_is_timed_and_left_as_it_was(path: Path) -> None:
    findings = _disk(path)
    assert {finding.state for name, finding in findings.items() if name != "commits"} == {State.OK}
    assert list(findings) == ["journal folder", "commits", "disk space"]
    finding = _disk(path.parent / "var" / "tileclock" / "journal.db")["journal folder"]
    assert finding.state is State.NOTE
    assert finding.found.startswith(f"{path.parent} can be written to"), "where the folder would be made"
    assert list(path.parent.iterdir()) == []


@pytest.mark.parametrize(
    ("step_ms", "state", "said"), [(3, State.OK, "takes 3.0 ms"), (400, State.NOTE, "slow"), (1_500, State.FAIL, "1500.0 ms")]
)
def test_a_slow_disk_is_noted_and_one_too_slow_for_a_mark_a_second_fails(path: Path, step_ms: int, state: State, said: str) -> None:
    finding = _disk(path, itertools.count(0, step_ms * MS).__next__)["commits"]
    assert (finding.state, said in finding.found) == (state, True)


@pytest.mark.parametrize(("free", "state"), [(AMPLE, State.OK), (AMPLE - 1, State.NOTE), (ROOM - 1, State.FAIL)])
def test_a_disk_that_is_getting_full_is_noted_and_a_full_one_fails(path: Path, free: int, state: State) -> None:
    finding = _disk(path, free=free)["disk space"]
    assert (finding.state, finding.found) == (state, f"{free // MIB} MiB free")
    assert ("with the card in another Linux machine" in finding.fix) is (state is State.FAIL)


def test_a_folder_that_cannot_be_written_to_and_one_in_the_journals_place_fail_with_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    (finding,) = _disk(tmp_path / "file" / "journal.db").values()
    assert (finding.name, finding.state) == ("journal folder", State.FAIL)
    assert "not a directory" in finding.found
    assert finding.fix == "Check the path and the disk, or choose another place with --journal."
    (finding,) = check_journal(tmp_path)
    says(finding, State.FAIL, "it is a folder", "Name a file in it.")


def test_a_disk_that_takes_no_more_fails_with_how_to_make_room(monkeypatch: pytest.MonkeyPatch, path: Path) -> None:
    with no_file_larger(4096):
        assert {name: finding.state for name, finding in _disk(path).items()} == {"journal folder": State.FAIL}

    def full(*_: object) -> tuple[int, ...]:
        raise OSError(errno.ENOSPC, "x")

    monkeypatch.setattr(sys.modules["firmware.doctor.examine"], "time_commits", full)
    (finding,) = _disk(path).values()
    assert finding.found == f"{path.parent} cannot be written to: the disk is full"
    assert f"`sudo tileclock journal export -o FILE --journal {path}`" in finding.fix
    assert list(path.parent.iterdir()) == []


def test_a_whole_journal_is_told_with_its_rows_and_is_not_changed(path: Path) -> None:
    (finding,) = check_journal(path)
    assert (finding.state, path.exists()) == (State.NOTE, False)
    _journal(path)
    before = path.read_bytes()
    (finding,) = check_journal(path)
    assert (finding.state, "3 rows, whole" in finding.found, path.read_bytes()) == (State.OK, True, before)


def test_a_file_that_is_no_journal_fails_and_stays_as_it_is(path: Path) -> None:
    path.write_text("a shopping list")
    (finding,) = check_journal(path)
    assert finding.state is State.FAIL
    assert finding.found == f"{path}: expected a journal, found that it is another kind of file, or another program's"
    assert finding.fix == "Check the path."
    path.with_name("journal.db-lock").touch()
    (finding,) = check_journal(path)
    says(finding, State.FAIL, "it is not an SQLite file", "the clock renames it")
    assert path.read_text() == "a shopping list"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("DROP TRIGGER rows_stay", "its tables are not those of a journal"),
        ("PRAGMA user_version = 99", "it is of version 99; this program writes version"),
    ],
)
def test_a_journal_whose_rows_are_whole_but_which_the_next_start_sets_aside_fails(path: Path, change: str, said: str) -> None:
    _journal(path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(change)
    (finding,) = check_journal(path)
    says(finding, State.FAIL, said, "the clock renames it")


def test_a_journal_of_which_only_the_wal_is_left_fails(path: Path) -> None:
    path.with_name("journal.db-wal").touch()
    (finding,) = check_journal(path)
    says(finding, State.FAIL, "the file is gone, its WAL is there", "the clock renames it")


@pytest.mark.parametrize(("older", "fix"), [(False, "the clock renames it"), (True, "continues with it")])
def test_a_changed_row_is_found_in_the_last_game_and_in_an_older_one(path: Path, older: bool, fix: str) -> None:
    _journal(path)
    if older:
        _append(path, *[Row(Kind.EVENT, 1, 1, 9, 9, "boot", "wall", '{"edition": 5}')] * (2 * CHECKED_ROWS))
    # Another body in the file, past SQLite and its triggers.
    whole = path.read_bytes()
    assert whole.count(b'{"row":2}') == 1
    path.write_bytes(whole.replace(b'{"row":2}', b'{"row":7}'))
    (finding,) = check_journal(path)
    says(finding, State.FAIL, "row 2 is not what was written")
    assert fix in finding.fix


@pytest.mark.parametrize("language", [*languages(), "tlh"])
def test_the_shipped_texts_are_sound_and_an_unknown_language_fails_with_the_ones_there_are(language: str) -> None:
    finding = check_texts(language, load_texts)
    assert finding.state is (State.FAIL if language == "tlh" else State.OK)
    assert language != "tlh" or ", ".join(languages()) in finding.found


def test_the_settings_are_told_by_who_changed_how_many_and_the_board_with_its_parts_or_its_fault(tmp_path: Path) -> None:
    board, finding = check_board("two-button")
    assert board is not None
    assert (finding.state, finding.found.endswith("2 buttons, 2 lamps, no buzzer")) == (State.OK, True)
    file = tmp_path / "twice.toml"
    file.write_text('title = "T"\nkind = "two-button"\n[buttons.left]\ngpio = 5\n[buttons.right]\ngpio = 5\n')
    board, finding = check_board(str(file))
    assert (board, finding.state) == (None, State.FAIL)
    assert "for both buttons.left and buttons.right" in finding.found
    assert finding.fix == "Give one of them another pin."
    layered = merge([("/etc/clock.toml", {"language": "en", "board.file": "full"}), ("options", {"board.file": "two-button"})])
    finding = check_settings(layered)
    assert (finding.state, finding.found) == (State.OK, "1 from /etc/clock.toml, 1 from options")
    assert check_settings(merge([])).found == "all at their defaults"


def test_a_boot_id_that_cannot_be_read_fails_with_where_it_lies() -> None:
    def hidden() -> str:
        raise FileNotFoundError(2, "No such file or directory", "/proc/sys/kernel/random/boot_id")

    (finding,) = check_boot(hidden)
    assert (finding.state, "/proc" in finding.fix) == (State.FAIL, True)
    (finding,) = check_boot(lambda: "94223ce0-1111-2222-3333-444455556666")
    assert (finding.state, finding.found) == (State.OK, "94223ce0...")


def _played(folder: Path, *walls: str, low: bool = True) -> Path:
    on_the_wall = ["2026-11-19T09:00"]
    with rig(folder, Hand(wall=lambda: f"{on_the_wall[-1]}:10.000+00:00")) as table:

        def change(wall: str) -> None:
            on_the_wall.append(wall)
            table.loop.inbox.put(Power(low))

        table.play([(table.at(str(place)), lambda wall=wall: change(wall)) for place, wall in enumerate(walls, 1)], until="20")  # type: ignore[misc] # a lambda's default
    return table.path


def test_that_the_voltage_was_too_low_in_the_last_day_is_noted_with_when_and_what_to_do(tmp_path: Path) -> None:
    path = _played(tmp_path, "2026-11-20T11:59", "2026-11-20T12:01", "2026-11-21T11:30", "2026-11-21T12:01")
    (finding,) = check_weak_power(path, NOW)
    assert (finding.name, finding.state) == ("power lately", State.NOTE)
    assert finding.found.startswith(
        "the voltage was too low 2 times in the last 24 hours, most recently 2026-11-21 11:30 UTC, according to the journal. Use the "
    )
    # It stands beside what is so just now.
    layered = merge([("test", {"board.pins": "none", "screen.kind": "none", "journal.path": str(path)})])
    names = [finding.name for finding in examine(layered, machine=Machine(wall=lambda: NOW))]
    assert names[names.index("battery") + 1] == "power lately"


def test_a_voltage_that_was_right_again_or_a_journal_that_is_none_is_no_word_worth(tmp_path: Path) -> None:
    (tmp_path / "list.db").write_text("a shopping list")
    for path in (_played(tmp_path, "2026-11-21T11:30", low=False), tmp_path / "list.db", tmp_path / "nowhere.db"):
        assert list(check_weak_power(path, NOW)) == []


def _wired(path: Path, pi: Pi | None, **board: Any) -> dict[str, Finding]:
    settings = {"journal.path": str(path), **{f"board.{key}": value for key, value in {"pins": "mock", **board}.items()}}
    machine = Machine(pi=lambda: pi, probe=lambda: Display("x11", 1280, 720))
    return {finding.name: finding for finding in examine(merge([("test", settings)]), machine=machine)}


@pytest.mark.parametrize("pi_id", pi_ids())
def test_on_a_pi_a_sound_board_is_told_in_a_line(path: Path, pi_id: str) -> None:
    found = _wired(path, load_pi(pi_id))
    assert found["wiring"].state is State.OK
    assert found["wiring"].found == f"the parts that board full names make electrical sense on a {load_pi(pi_id).title}"
    assert "buttons at reset" not in found, "each has a pull-up of its own"


def test_a_faulty_board_is_told_with_what_to_do_and_off_a_pi_and_without_pins_nothing_is_said_of_wires(path: Path) -> None:
    own = path.with_name("own.toml")
    own.write_text(LAMP_PULLED_UP, encoding="utf-8")
    found = _wired(path, load_pi("4"), file=str(own))
    assert "wiring" not in found
    assert found["lamps.left"].fix == "Take one of GPIO 9 to 27."
    for pi, pins in ((None, "mock"), (load_pi("4"), "none")):
        assert "wiring" not in _wired(path, pi, pins=pins)


def test_speech_is_examined_where_a_player_wants_it_and_its_engine_is_named_if_it_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    assert [*check_speech("en", speaks=False)] == []
    (found,) = check_speech("en", speaks=True)
    says(found, State.OK, "espeak-ng speaks English")
    monkeypatch.setenv("PATH", "")
    (found,) = check_speech("en", speaks=True)
    says(found, State.FAIL, "espeak-ng", "Install it: sudo apt install espeak-ng")


def _doctor(*options: str) -> Result:
    return CliRunner().invoke(main, ["doctor", *options])


def test_a_machine_where_nothing_fails_leaves_with_0_and_gives_its_pins_back(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    closed: list[MockPins] = []
    monkeypatch.setattr(MockPins, "close", lambda pins: closed.append(pins))  # noqa: PLW0108 - a method
    result = _doctor("--pins", "mock", "--screen", "none", "--journal", str(path))
    assert (result.exit_code, len(closed)) == (0, 1)
    names = "settings,rulebooks,texts,board file,pin library,pins,buttons,boot id,wall time,time keeper,power,clock rate,battery,journal folder,"
    lines = result.output.splitlines()
    checked = ",".join(line[6:].split("  ")[0] for line in lines)
    assert checked.startswith(f"{names}commits,disk space,journal,crash record,screen,")
    assert lines[-1] == "Nothing failed."
    assert not any(line.endswith(" ") for line in lines)


def test_a_failure_leaves_with_1_and_its_fix_stands_under_it(path: Path) -> None:
    path.write_text("a shopping list")
    path.with_name("journal.db-lock").touch()
    result = _doctor("--pins", "none", "--screen", "none", "--journal", str(path))
    assert result.exit_code == 1
    assert "it is not an SQLite file" in result.output
    assert "Fix: Copy it to a safe place" in result.output
    assert result.output.splitlines()[-1].startswith("1 of ")


@pytest.mark.parametrize("pins", ["mock", "none"])
def test_presses_cannot_be_asked_for_where_there_are_no_buttons(pins: str) -> None:
    result = _doctor("--press", "--pins", pins)
    assert result.exit_code == 2
    assert f"board.pins is {pins}" in result.output


def _pins(mock: MockBoard, interview: Interview | None = None) -> dict[str, Finding]:
    findings = check_pins(mock.board, BoardSettings(), lambda _name, **_more: mock.factory, interview, buzzer=True)
    return {finding.name: finding for finding in findings}


def _ask(mock: MockBoard, answer: Callable[[str], None]) -> dict[str, Finding]:
    def tell(sentence: str) -> None:
        if ", on GPIO" in sentence:
            answer(sentence.partition(": ")[2].partition(",")[0])

    return _pins(mock, Interview(tell, at_once))


def test_a_board_at_rest_has_all_pins_and_nothing_down_and_stamps_by_python_are_a_note() -> None:
    findings = _pins(MockBoard(load_board("full")))
    assert {name: finding.state for name, finding in findings.items()} == {"pin library": State.OK, "pins": State.OK, "buttons": State.OK}
    assert findings["pins"].found == "10 pins of board full opened"
    assert "the kernel stamps each edge" in findings["pin library"].found
    mock = MockBoard(load_board("two-button"))
    mock.factory.stamps = "python"
    finding = _pins(mock)["pin library"]
    says(finding, State.NOTE, "less exact")


def test_a_button_that_is_down_is_stuck_and_named_with_its_pin_and_the_directors_key_is_only_noted() -> None:
    mock = MockBoard(load_board("full"))
    mock.down("key")
    findings = _pins(mock)
    assert (findings["button key"].state, findings["buttons"].state) == (State.NOTE, State.OK)
    mock.down("left")
    findings = _pins(mock)
    says(findings["button left"], State.FAIL, "GPIO5 (header pin 29)", "short from GPIO5 (header pin 29) to ground")
    assert "buttons" not in findings


def test_a_missing_pin_library_fails_with_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gpiod.line", None)
    (finding,) = check_pins(load_board("full"), BoardSettings(pins="gpiod"), open_factory, None, buzzer=False)
    assert (finding.name, finding.state) == ("pin library", State.FAIL)
    assert "pip install gpiod==" in finding.fix


def test_a_machine_without_pins_fails_with_what_to_do_and_pins_that_are_switched_off_or_pretended_are_notes() -> None:
    def nothing(_name: FactoryName, **_more: object) -> PinFactory:
        raise PinUnavailable(expected="a Raspberry Pi", found="none", remedy="Run the clock on a Pi")

    (finding,) = check_pins(load_board("full"), BoardSettings(), nothing, None, buzzer=False)
    assert (finding.name, finding.state, finding.fix) == ("pins", State.FAIL, "Run the clock on a Pi.")
    (none,) = check_pins(None, BoardSettings(pins="none"), open_factory, None, buzzer=False)
    mock, skipped = check_pins(None, BoardSettings(pins="mock"), open_factory, None, buzzer=False)
    assert {none.state, mock.state, skipped.state} == {State.NOTE}
    assert "board file" in skipped.found


def test_a_pin_that_another_program_holds_fails_by_name_and_the_library_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    closed: list[MockPins] = []
    monkeypatch.setattr(MockPins, "close", lambda pins: closed.append(pins))  # noqa: PLW0108 - a method
    with held("GPIO6"):
        findings = list(check_pins(load_board("two-button"), BoardSettings(), lambda _name, **_more: MockPins(), None, buzzer=False))
    assert [(finding.name, finding.state) for finding in findings] == [("pin library", State.OK), ("pins", State.FAIL)]
    assert "GPIO6 (header pin 31) for buttons.right" in findings[1].found
    assert findings[1].fix.startswith("End the program that holds the pin")
    assert closed


def test_a_press_of_each_button_is_asked_for_and_shown() -> None:
    mock = MockBoard(load_board("two-button"))
    findings = _ask(mock, lambda button: mock.press(button, {"left": 1_000, "right": 5_000}[button] * MS, held_ns=84 * MS))
    assert (findings["press left"].state, findings["press left"].found) == (State.OK, "left: down for 84 ms, 0 bounces")
    assert findings["press right"].state is State.OK


def _screen(
    settings: ScreenSettings, display: Display | Diagnosis, driver: str | None = None, terminal: tuple[int, int] | None = None
) -> Finding:
    environment = {} if driver is None else {"SDL_VIDEODRIVER": driver}
    (finding,) = check_screen(settings, lambda: display, lambda: terminal, environment)
    return finding


WINDOW = ScreenSettings(fullscreen=False)
NO_DISPLAY = Diagnosis("No available video device")


FULL = ScreenSettings()
OFFSCREEN = Display("offscreen", 1024, 768)
GOOD = Display("KMSDRM", 800, 480, "opengles2", arrived=True)
BLACK = Display("KMSDRM", 1024, 600, "opengl", arrived=False)


@pytest.mark.parametrize(
    ("settings", "display", "driver", "state", "found"),
    [
        (FULL, Display("KMSDRM", 1024, 600), None, State.OK, "KMSDRM, 1024x600"),
        (WINDOW, GOOD, "kmsdrm", State.OK, "KMSDRM, drawn by opengles2, 800x480, frames arrive"),
        (FULL, BLACK, "kmsdrm", State.FAIL, "KMSDRM, drawn by opengl, 1024x600, black: no frame arrives"),
        # Out of sight, unless it was asked for.
        (FULL, OFFSCREEN, None, State.FAIL, ""),
        (FULL, OFFSCREEN, "offscreen", State.NOTE, ""),
        # A window larger than the screen; a full screen always fits.
        (WINDOW, Display("x11", 800, 480), None, State.NOTE, ""),
        (FULL, Display("x11", 800, 480), None, State.OK, ""),
        (ScreenSettings(kind="none"), NO_DISPLAY, None, State.NOTE, ""),
    ],
)
def test_a_display_is_told_with_its_driver_its_size_and_whether_somebody_sees_it(
    settings: ScreenSettings, display: Display | Diagnosis, driver: str | None, state: State, found: str
) -> None:
    finding = _screen(settings, display, driver)
    assert (finding.state, finding.found == found or not found) == (state, True)


def test_what_is_missing_of_a_display_is_told_in_sdls_own_words_with_its_remedy() -> None:
    finding = _screen(ScreenSettings(), Diagnosis("libegl1 not installed", "Install it: sudo apt install libegl1"), "kmsdrm")
    assert (finding.state, finding.fix) == (State.FAIL, "Install it: sudo apt install libegl1.")
    finding = _screen(ScreenSettings(), NO_DISPLAY)
    says(finding, State.FAIL, "No available video device", "--screen terminal")


@pytest.mark.parametrize(
    ("terminal", "state"),
    [(None, State.FAIL), ((COLUMNS - 1, ROWS), State.FAIL), ((COLUMNS, ROWS - 1), State.FAIL), ((COLUMNS, ROWS), State.OK)],
)
def test_a_terminal_has_to_be_one_and_big_enough(terminal: tuple[int, int] | None, state: State) -> None:
    assert _screen(ScreenSettings(kind="terminal"), NO_DISPLAY, terminal=terminal).state is state


def test_a_display_is_probed_in_a_process_of_its_own_and_no_crash_of_it_is_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    found = of_kind(Display, probe_display())
    assert found.driver == "dummy"
    monkeypatch.setenv("SDL_VIDEODRIVER", "no-such-driver")
    complaint = of_kind(Diagnosis, probe_display())
    assert complaint.problem
    assert read_answer(-11, "", "Fatal Python error\nSegmentation fault") == Diagnosis("SDL ended with signal 11 (Segmentation fault)")


def _quietly(_: object) -> None:
    pass


def test_a_parade_fails_where_no_display_is_set_up_and_is_of_the_one_that_is_there() -> None:
    assert list(check_led(BySide(None, None), None)) == []
    (finding,) = check_led(BySide(None, None), Parade(_quietly, _quietly))
    says(finding, State.FAIL, "", "--board two-display")
    with FakeLed() as fake:
        lines: BySide[LedLine | None] = BySide(LedLine(("/dev/no-such",)), LedLine((fake.port,)))
        findings = list(check_led(lines, Parade(_quietly, _quietly)))
        assert [finding.state for finding in findings] == [State.FAIL, State.OK, State.NOTE]
        assert fake.shows(lambda shown: shown == DARK)


def test_each_ports_state_is_told_and_what_to_do_about_one_that_is_not_there_or_held() -> None:
    with FakeLed() as fake:
        left, right = check_led(BySide(LedLine((fake.port,)), LedLine(("/dev/no-such",))), None)
    assert (left.name, left.state) == ("LED display left", State.OK)
    assert fake.port in left.found
    assert (right.name, right.state) == ("LED display right", State.FAIL)
    assert "/dev/no-such, found nothing there (plugged in now: " in right.found
    assert "led.right" in right.fix
    assert not fake.received_bytes
    with FakeLed() as fake, closing(LedPort("left", LedLine((fake.port,)))) as held:
        held.open()
        (left,) = check_led(BySide(LedLine((fake.port,)), None), None)
    says(left, State.FAIL, "another program uses it")


def test_the_parade_lights_all_and_then_the_letter_of_each_side() -> None:
    with FakeLed() as left, FakeLed() as right:
        fakes = BySide(left, right)
        seen: list[tuple[bool, ...]] = []
        wanted = iter((BySide.both(ALL_LIT), BySide(lit(cells("L")), lit(cells("r")))))

        def wait(_: float) -> None:
            expected = next(wanted)
            seen.append(tuple(fakes.of(side).shows(lambda shown, lit=lit: shown == lit) for side, lit in expected.items()))  # type: ignore[misc] # a lambda's default

        said: list[str] = []
        *_, last = check_led(fakes.map(lambda fake: LedLine((fake.port,))), Parade(said.append, wait))
        assert seen == [(True, True)] * 2
        assert all(fake.shows(lambda shown: shown == DARK) for _, fake in fakes.items())
    assert last.state is State.NOTE
    assert "every segment" in said[0]
    assert "L shows" in said[1]
