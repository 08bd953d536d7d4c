"""What cannot be started is refused in one clear sentence with exit code 2."""

from pathlib import Path

import pytest

from firmware.cli.main import main
from tests.firmware.shell.processes import running
from tests.in_process import ran

TWICE = """title = "twice"
kind = "two-button"
[buttons.left]
gpio = 5
[buttons.right]
gpio = 5
"""


def _refusal(*arguments: str) -> str:
    """Return the one sentence with which ``tileclock`` refuses."""
    done = ran(main, *arguments)
    return _sentence(done.returncode, done.stdout, done.stderr)


def _sentence(code: int, output: str, errors: str) -> str:
    assert code == 2
    assert "Traceback" not in output + errors
    sentences = [line for line in errors.splitlines() if line.startswith("tileclock: ")]
    assert len(sentences) == 1
    return sentences[0]


def _words(folder: Path, *arguments: str) -> list[str]:
    given = {"--pins": "none", "--screen": "none", **dict(zip(arguments[::2], arguments[1::2], strict=True))}
    return ["run", "--journal", str(folder / "journal.db"), *(word for pair in given.items() for word in pair)]


def _run(folder: Path, *arguments: str) -> str:
    said = _refusal(*_words(folder, *arguments))
    assert not (folder / "journal.db").exists()
    return said


def _run_for_window(folder: Path, **environment: str) -> str:
    """Return the refusal of a program of its own: SDL looks for its display once."""
    with running(*_words(folder, "--screen", "window"), **environment) as process:
        output, errors = process.communicate(timeout=60)
    assert process.returncode is not None
    assert not (folder / "journal.db").exists()
    return _sentence(process.returncode, output, errors)


def test_an_unknown_rulebook_is_refused_with_those_that_are_known(tmp_path: Path) -> None:
    said = _run(tmp_path, "--rulebook", "naspa-2071")
    assert "naspa-2071" in said
    assert "nzasp-2022" in said


def test_a_stations_board_is_refused_by_the_clock(tmp_path: Path) -> None:
    said = _run(tmp_path, "--board", "station")
    assert "kind: expected the board of a table clock (full, two-button), found 'station'. Name a shipped board (full, two-button" in said


def test_an_unknown_board_and_a_board_file_that_is_not_there_are_refused(tmp_path: Path) -> None:
    assert "full, two-button" in _run(tmp_path, "--board", "three-button")
    assert str(tmp_path / "none.toml") in _run(tmp_path, "--board", str(tmp_path / "none.toml"))


def test_a_pin_used_twice_is_refused_with_both_its_users(tmp_path: Path) -> None:
    (tmp_path / "twice.toml").write_text(TWICE, encoding="utf-8")
    said = _run(tmp_path, "--board", str(tmp_path / "twice.toml"))
    assert "GPIO5" in said
    assert "buttons.left and buttons.right" in said


def test_a_pin_library_that_is_not_installed_is_named_with_how_to_install_it(tmp_path: Path) -> None:
    assert "pip install 'tileclock[old-pi]'" in _run(tmp_path, "--pins", "rpigpio")


def test_a_machine_that_is_no_pi_is_told_to_use_the_demonstration(tmp_path: Path) -> None:
    said = _run(tmp_path, "--pins", "gpiod")
    assert "expected a Raspberry Pi" in said
    assert "tileclock demo" in said


def test_an_unknown_language_is_refused_with_those_that_are_shipped(tmp_path: Path) -> None:
    assert "(en, es, fr), found 'tlh'" in _run(tmp_path, "--language", "tlh")


def test_a_window_without_a_display_is_refused_with_what_to_do(tmp_path: Path) -> None:
    said = _run_for_window(tmp_path)
    assert "expected a display for the window" in said
    assert "--screen terminal" in said


def test_a_display_that_does_not_answer_is_refused(tmp_path: Path) -> None:
    assert "expected a display for the window" in _run_for_window(tmp_path, DISPLAY=":987", SDL_VIDEODRIVER="x11")


@pytest.mark.parametrize("verb", ["run", "config"])
def test_a_bad_setting_is_refused_by_every_verb_that_has_settings(tmp_path: Path, verb: str) -> None:
    path = tmp_path / "clock.toml"
    path.write_text("[screen]\nwidth = 2\n", encoding="utf-8")
    assert f"{path}: screen.width: expected greater than or equal to 320, found 2" in _refusal(verb, "--settings", str(path))


def test_the_demonstration_refuses_an_unknown_rulebook_and_begins_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    assert "naspa-2071" in _refusal("demo", "--headless", "--rulebook", "naspa-2071", "--output", str(folder))
    assert not folder.exists()


def test_the_demonstration_says_that_its_output_is_no_folder_it_can_use(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine", encoding="utf-8")
    assert "Choose another with --output" in _refusal("demo", "--headless", "--output", str(tmp_path / "file"))
    assert (tmp_path / "file").read_text(encoding="utf-8") == "mine"


def test_config_refuses_what_run_refuses_with_the_same_sentence(tmp_path: Path) -> None:
    for option in ("--rulebook", "--board", "--language"):
        assert _refusal("config", option, "nope") == _run(tmp_path, option, "nope")
