import errno
import os
import random
import re
import subprocess
import sys
from pathlib import Path

import pygame
import pytest

from appliance.display import frame_check, sdl
from appliance.display.frame_check import Scanout, alike, frame_arrived, scanned_out
from appliance.display.screen import lost
from appliance.display.sdl import ACCELERATION, acceleration, await_card, why_not
from appliance.display.window import REMEDY, close_window, open_window
from appliance.errors import Diagnosis, ScreenError
from appliance.process import SERVICE
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


def test_a_bare_panel_is_drawn_by_opengl_es_and_all_else_in_plain_memory_once_the_driver_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn_by = {"KMSDRM": "opengles2", "kmsdrm": "opengles2", "x11": "0", "wayland": "0", "dummy": "0"}
    assert {driver: acceleration(driver) for driver in drawn_by} == drawn_by
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setenv(ACCELERATION, "opengl")
    monkeypatch.setattr("appliance.display.window.acceleration", lambda driver: f"for {driver}")
    open_window((640, 400), "a title", fullscreen=False)
    assert os.environ[ACCELERATION] == "for dummy"
    close_window()


def test_without_a_display_the_error_is_one_sentence_that_ends_with_the_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "x11")
    monkeypatch.setenv("DISPLAY", ":987654")
    for given in ({}, {"remedy": "Look for the cable"}):
        with pytest.raises(TileclockError) as caught:
            open_window((640, 400), "a title", fullscreen=False, **given)
        assert str(caught.value).startswith("expected a display for the window, found none (x11 not available). ")
        assert caught.value.remedy == given.get("remedy", REMEDY)


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


SDL = ["x11", "KMSDRM", "dummy"]


@pytest.fixture
def machine(tmp_path: Path) -> Path:
    """Return a folder with a card whose panel is connected; what stands for the card answers no request of the kernel's."""
    (tmp_path / "dri").mkdir()
    (tmp_path / "dri/card0").touch()
    (tmp_path / "sys/card0-HDMI-A-1").mkdir(parents=True)
    (tmp_path / "sys/card0-HDMI-A-1/status").write_text("connected\n")
    return tmp_path


def why(machine: Path, drivers: list[str] = SDL) -> Diagnosis:
    return why_not(drivers, "kmsdrm not available", machine / "dri", machine / "sys")


def test_each_cause_of_no_bare_panel_is_named_with_what_brings_what_is_missing(machine: Path) -> None:
    assert "desktop session" in why(machine, ["x11", "wayland"]).remedy
    (machine / "sys/card0-HDMI-A-1/status").write_text("disconnected\n")
    assert why(machine).problem.startswith("no panel connected to ")
    (machine / "dri/card0").unlink()
    assert "no graphics card" in why(machine).problem
    assert "vc4-kms-v3d" in why(machine).remedy
    assert "terminal" in why(machine).remedy


def test_a_service_on_a_bare_panel_waits_for_its_card_and_gives_up_in_time(machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now, slept = 100.0, 0
    card, comes_at = machine / "dri/card0", 3

    def sleep(seconds: float) -> None:
        nonlocal now, slept
        now, slept = now + seconds, slept + 1
        if slept == comes_at:
            card.touch()

    monkeypatch.setattr("time.sleep", sleep)
    monkeypatch.setattr("time.monotonic", lambda: now)
    await_card(machine / "dri", machine / "sys")
    assert slept == 0
    card.unlink()
    await_card(machine / "dri", machine / "sys")
    assert slept == comes_at
    card.unlink()
    began = now
    await_card(machine / "dri", machine / "sys")
    assert sdl.AWAITED_S <= now - began < sdl.AWAITED_S + 1


@pytest.mark.parametrize(
    ("driver", "environment", "waits"), [("kmsdrm", {SERVICE: "8:1"}, 1), ("kmsdrm", {}, 0), ("x11", {SERVICE: "8:1"}, 0)]
)
def test_only_a_service_on_a_bare_panel_waits(
    driver: str, environment: dict[str, str], waits: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited: list[None] = []
    monkeypatch.setattr("appliance.display.window.await_card", lambda: waited.append(None))
    monkeypatch.delenv(SERVICE, raising=False)
    monkeypatch.setenv("DISPLAY", ":987654")
    for key, value in {"SDL_VIDEODRIVER": driver, **environment}.items():
        monkeypatch.setenv(key, value)
    with pytest.raises(ScreenError):
        open_window((640, 400), "a title", fullscreen=False)
    assert len(waited) == waits


@pytest.mark.parametrize(
    ("call", "problem", "remedy"),
    [("os.open", "", "groups video, render and input"), ("fcntl.ioctl", "another program drawing on ", "systemctl stop")],
    ids=["no permission", "another program"],
)
def test_a_card_that_refuses_is_named_with_what_to_do(
    machine: Path, monkeypatch: pytest.MonkeyPatch, call: str, problem: str, remedy: str
) -> None:
    def refused(*_: object) -> int:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(f"appliance.display.sdl.{call}", refused)
    assert why(machine).problem.startswith(problem)
    assert remedy in why(machine).remedy


def test_one_good_card_is_enough_to_look_further_and_with_all_there_sdls_own_words_are_told(
    machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (machine / "dri/card1").touch()
    monkeypatch.setattr(sdl, "LIBRARIES", {"libno-such.so.1": "libno-such1"})
    assert why(machine).remedy.endswith("sudo apt install libno-such1")
    monkeypatch.setattr(sdl, "LIBRARIES", {})
    assert why(machine).problem.startswith("kmsdrm not available: the card's driver offers no OpenGL ES")


def test_without_a_panel_or_a_desktop_it_says_in_one_sentence_what_was_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "kmsdrm")
    with pytest.raises(ScreenError, check=with_fields(expected="a bare panel to draw on")) as caught:
        open_window((320, 240), "a title", fullscreen=True)
    assert "\n" not in str(caught.value)
    # Where neither driver nor desktop is named, a card makes it the bare panel.
    for name in ("SDL_VIDEODRIVER", "DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("appliance.display.window.drivers", lambda: SDL)
    for has_card, expected in ((True, "a bare panel to draw on"), (False, "a display for the window")):
        monkeypatch.setattr("appliance.display.window.graphics_cards", lambda has_card=has_card: [Path("card0")] * has_card)
        with pytest.raises(ScreenError, check=with_fields(expected=expected)):
            open_window((320, 240), "a title", fullscreen=True)


SIZE = (64, 48)


def drawn() -> pygame.Surface:
    surface = pygame.Surface(SIZE, depth=32)
    surface.fill((24, 29, 36))
    surface.fill((247, 242, 228), (8, 8, 30, 20))
    return surface


def shown(surface: pygame.Surface, fourcc: str = "XR24", padding: int = 16) -> Scanout:
    order = {"XR24": "BGRA", "XB24": "RGBA"}[fourcc]
    rgba = pygame.image.tobytes(surface, "RGBA")
    pixels = [rgba[start : start + 4] for start in range(0, len(rgba), 4)]
    if order == "BGRA":
        pixels = [bytes((blue, green, red, alpha)) for red, green, blue, alpha in pixels]
    rows = [b"".join(pixels[start : start + SIZE[0]]) + bytes(padding) for start in range(0, len(pixels), SIZE[0])]
    return Scanout(*SIZE, fourcc, b"".join(rows))


def test_a_picture_has_arrived_whatever_the_order_of_its_colours_and_its_tiles_and_another_has_not() -> None:
    for fourcc in ("XR24", "XB24"):
        assert alike(drawn(), shown(drawn(), fourcc))
    whole = shown(drawn(), padding=0)
    tiles = [whole.pixels[start : start + 64] for start in range(0, len(whole.pixels), 64)]
    random.Random(1).shuffle(tiles)  # noqa: S311 - no secret
    assert alike(drawn(), Scanout(*SIZE, "XR24", b"".join(tiles)))
    assert not alike(drawn(), Scanout(*SIZE, "XR24", bytes(SIZE[0] * SIZE[1] * 4)))
    name = pygame.Surface(SIZE, depth=32)
    name.fill((13, 16, 20))
    assert not alike(drawn(), shown(name))


@pytest.mark.usefixtures("dummy_display")
def test_it_cannot_be_told_without_a_bare_panel() -> None:
    pygame.display.init()
    assert frame_arrived(pygame.display.set_mode(SIZE)) is None
    pygame.display.quit()


def test_a_frame_is_waited_for_and_a_panel_that_stays_black_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    black, good = Scanout(*SIZE, "XR24", bytes(SIZE[0] * SIZE[1] * 4)), shown(drawn())
    monkeypatch.setattr(frame_check, "card", lambda: 3)
    later = iter([[black], [black], [good]])
    monkeypatch.setattr(frame_check, "scanned_out", lambda _: next(later))
    assert frame_arrived(drawn()) is True
    monkeypatch.setattr(frame_check, "PATIENCE_S", 0.1)
    monkeypatch.setattr(frame_check, "scanned_out", lambda _: [black])
    assert frame_arrived(drawn()) is False
    monkeypatch.setattr(frame_check, "scanned_out", lambda _: [Scanout(*SIZE, "RG16", bytes(SIZE[0] * SIZE[1] * 2))])
    assert frame_arrived(drawn()) is None


def test_what_is_no_card_is_an_error_and_no_crash() -> None:
    with open("/dev/null", "rb") as file, pytest.raises(OSError, match="Inappropriate ioctl"):  # noqa: PTH123 - a descriptor
        scanned_out(file.fileno())
