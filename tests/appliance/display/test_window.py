"""Opening and closing a window, whichever program it is for."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pygame
import pytest

from appliance.display.screen import lost
from appliance.display.sdl import ACCELERATION, acceleration
from appliance.display.window import REMEDY, close_window, open_window
from appliance.errors import ScreenError
from faults.errors import TileclockError
from tests.errors import with_fields


@pytest.mark.usefixtures("dummy_display")
def test_a_window_has_its_size_and_title_and_can_be_closed_twice_and_opened_again() -> None:
    for size in ((640, 400), (800, 480)):
        assert open_window(size, "a title", fullscreen=False).get_size() == size
        assert pygame.display.get_caption()[0] == "a title"
        close_window()
        close_window()
        assert not pygame.display.get_init()


@pytest.mark.parametrize(
    ("driver", "expected"), [("KMSDRM", "opengles2"), ("kmsdrm", "opengles2"), ("x11", "0"), ("wayland", "0"), ("dummy", "0")]
)
def test_a_bare_panel_is_drawn_by_opengl_es_and_all_else_in_plain_memory(driver: str, expected: str) -> None:
    assert acceleration(driver) == expected


def test_the_renderer_is_chosen_once_the_driver_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setenv(ACCELERATION, "opengl")
    monkeypatch.setattr("appliance.display.window.acceleration", lambda driver: f"for {driver}")
    open_window((640, 400), "a title", fullscreen=False)
    assert os.environ[ACCELERATION] == "for dummy"
    close_window()


@pytest.mark.parametrize("remedy", [None, "Look for the cable"])
def test_without_a_display_the_error_is_one_sentence_that_ends_with_the_remedy(monkeypatch: pytest.MonkeyPatch, remedy: str | None) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "x11")
    monkeypatch.setenv("DISPLAY", ":987654")
    given = {} if remedy is None else {"remedy": remedy}
    with pytest.raises(TileclockError) as caught:
        open_window((640, 400), "a title", fullscreen=False, **given)
    assert str(caught.value).startswith("expected a display for the window, found none (x11 not available). ")
    assert caught.value.remedy == (remedy or REMEDY)


def test_a_driver_that_draws_where_nobody_sees_it_is_no_display_unless_it_was_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    open_window((640, 400), "a title", fullscreen=False)
    close_window()
    # What SDL takes by itself depends on the machine.
    monkeypatch.setattr(pygame.display, "get_driver", lambda: "offscreen")
    with pytest.raises(ScreenError, check=with_fields(found=re.compile("offscreen"))):
        open_window((640, 400), "a title", fullscreen=False)
    assert not pygame.display.get_init()


def test_a_librarys_failure_becomes_the_screens_and_one_of_the_screens_stays_what_it_is() -> None:
    with (
        pytest.raises(ScreenError, check=with_fields(expected="the panel to stay connected", found="that it was lost (pulled out)")),
        lost("the panel", pygame.error),
    ):
        raise pygame.error("pulled out")
    first = ScreenError(expected="the panel", found="none")
    with pytest.raises(ScreenError) as caught, lost("the panel"):
        raise first
    assert caught.value is first
    with pytest.raises(ZeroDivisionError), lost("the panel", pygame.error):
        raise ZeroDivisionError


SETTINGS = ("DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET", "XDG_RUNTIME_DIR", "SDL_VIDEODRIVER")
PROGRAM = """
import os
from appliance.display.window import open_window
from appliance.errors import ScreenError
try:
    open_window((320, 320), "a title", fullscreen=False)
except ScreenError as error:
    print(error)
print(os.environ.get("SDL_VIDEODRIVER"))
"""


def _opened(**environment: str) -> tuple[list[str], str]:
    """Open a window in a process of its own with that environment and nothing else of a desktop's; return what it said and what was complained of."""
    env = {key: value for key, value in os.environ.items() if key not in SETTINGS} | {"PYGAME_HIDE_SUPPORT_PROMPT": "1"} | environment
    done = subprocess.run([sys.executable, "-c", PROGRAM], env=env, capture_output=True, text=True, check=True, timeout=30)
    return done.stdout.splitlines(), done.stderr


def test_without_a_runtime_folder_wayland_is_not_tried_and_complains_of_nothing() -> None:
    for environment in ({}, {"WAYLAND_DISPLAY": "wayland-0"}, {"SDL_VIDEODRIVER": ""}):
        (said, driver), complained = _opened(**environment)
        assert complained == ""
        assert said.startswith("expected a display for the window, found none (")
        assert driver == str(environment.get("SDL_VIDEODRIVER"))


def test_without_a_runtime_folder_an_x_server_is_found_as_ever(x_display: str) -> None:
    assert _opened(DISPLAY=x_display) == (["None"], "")


def test_where_there_may_be_wayland_or_it_was_asked_for_sdl_tries_it(tmp_path: Path) -> None:
    # What it says of that in its own words is its own affair: it did try.
    assert "XDG_RUNTIME_DIR" in _opened(SDL_VIDEODRIVER="wayland")[1]
    for environment in ({"XDG_RUNTIME_DIR": str(tmp_path)}, {"WAYLAND_DISPLAY": str(tmp_path / "wayland-0")}):
        assert _opened(**environment, SDL_VIDEODRIVER="wayland")[0][0].startswith("expected a display for the window, found none (")
        assert _opened(**environment)[1] == ""
