from __future__ import annotations

import pytest

from appliance.display.probe import Display, probe_display, read_answer
from appliance.errors import Diagnosis
from appliance.finding import Finding, State
from firmware.doctor.devices import COLUMNS, ROWS, check_screen
from firmware.settings.model import ScreenSettings

_NONE = Diagnosis("no display")


def _check(
    settings: ScreenSettings, display: Display | Diagnosis = _NONE, terminal: tuple[int, int] | None = None, driver: str | None = None
) -> Finding:
    environment = {} if driver is None else {"SDL_VIDEODRIVER": driver}
    (finding,) = check_screen(settings, lambda: display, lambda: terminal, environment)
    return finding


def test_a_display_is_told_with_its_driver_and_size() -> None:
    finding = _check(ScreenSettings(), Display("KMSDRM", 1024, 600))
    assert (finding.state, finding.found) == (State.OK, "KMSDRM, 1024x600")


def test_a_bare_panel_is_told_with_what_draws_it_and_that_frames_arrive() -> None:
    finding = _check(ScreenSettings(fullscreen=False), Display("KMSDRM", 800, 480, "opengles2", arrived=True), driver="kmsdrm")
    assert (finding.state, finding.found) == (State.OK, "KMSDRM, drawn by opengles2, 800x480, frames arrive")


def test_frames_that_flip_on_a_panel_that_stays_black_are_a_failure() -> None:
    finding = _check(ScreenSettings(), Display("KMSDRM", 1024, 600, "opengl", arrived=False), driver="kmsdrm")
    assert (finding.state, finding.found) == (State.FAIL, "KMSDRM, drawn by opengl, 1024x600, black: no frame arrives")


def test_what_is_missing_of_a_bare_panel_comes_with_its_own_remedy() -> None:
    finding = _check(ScreenSettings(), Diagnosis("libegl1 not installed", "Install it: sudo apt install libegl1"), driver="kmsdrm")
    assert (finding.state, finding.fix) == (State.FAIL, "Install it: sudo apt install libegl1.")


def test_a_missing_display_fails_with_sdls_own_words_and_what_to_do() -> None:
    finding = _check(ScreenSettings(), Diagnosis("No available video device"))
    assert finding.state is State.FAIL
    assert "No available video device" in finding.found
    assert "--screen terminal" in finding.fix


@pytest.mark.parametrize(("asked", "state"), [(None, State.FAIL), ("offscreen", State.NOTE)])
def test_drawing_where_nobody_sees_it_fails_unless_it_was_asked_for(asked: str | None, state: State) -> None:
    assert _check(ScreenSettings(), Display("offscreen", 1024, 768), driver=asked).state is state


def test_a_window_larger_than_the_screen_is_noted_and_a_full_screen_always_fits() -> None:
    display = Display("x11", 800, 480)
    assert _check(ScreenSettings(fullscreen=False), display).state is State.NOTE
    assert _check(ScreenSettings(fullscreen=True), display).state is State.OK


@pytest.mark.parametrize(
    ("terminal", "state"),
    [(None, State.FAIL), ((COLUMNS - 1, ROWS), State.FAIL), ((COLUMNS, ROWS - 1), State.FAIL), ((COLUMNS, ROWS), State.OK)],
)
def test_a_terminal_has_to_be_one_and_big_enough(terminal: tuple[int, int] | None, state: State) -> None:
    assert _check(ScreenSettings(kind="terminal"), terminal=terminal).state is state


def test_no_screen_is_noted() -> None:
    assert _check(ScreenSettings(kind="none")).state is State.NOTE


def test_a_display_is_probed_in_a_process_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    found = probe_display()
    assert isinstance(found, Display)
    assert found.driver == "dummy"


def test_a_driver_that_is_not_there_is_sdls_complaint_and_no_crash(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "no-such-driver")
    found = probe_display()
    assert isinstance(found, Diagnosis)
    assert found.problem


def test_an_sdl_that_crashes_is_told_by_its_signal() -> None:
    assert read_answer(-11, "", "Fatal Python error\nSegmentation fault") == Diagnosis("SDL ended with signal 11 (Segmentation fault)")
