"""Why there is no bare panel: each cause has its sentence, and what brings what is missing."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from appliance.display import sdl
from appliance.display.sdl import why_not
from appliance.display.window import open_window
from appliance.errors import Diagnosis, ScreenError
from tests.errors import with_fields

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


def test_an_sdl_without_the_driver_names_debians_package(machine: Path) -> None:
    assert "python3-pygame" in why(machine, ["x11", "wayland"]).remedy


def test_no_card_names_the_kernels_driver_and_the_terminal(machine: Path) -> None:
    (machine / "dri/card0").unlink()
    assert "no graphics card" in why(machine).problem
    assert "vc4-kms-v3d" in why(machine).remedy
    assert "terminal" in why(machine).remedy


def test_a_panel_that_is_not_plugged_in_is_named(machine: Path) -> None:
    (machine / "sys/card0-HDMI-A-1/status").write_text("disconnected\n")
    assert why(machine).problem.startswith("no panel connected to ")


def test_a_card_without_permission_names_the_groups(machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> int:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr("appliance.display.sdl.os.open", refused)
    assert "groups video, render and input" in why(machine).remedy


def test_another_program_on_the_panel_is_named_with_how_to_stop_it(machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> int:
        raise OSError(errno.EACCES, "Permission denied")

    monkeypatch.setattr("appliance.display.sdl.fcntl.ioctl", refused)
    assert why(machine).problem.startswith("another program drawing on ")
    assert "systemctl stop" in why(machine).remedy


def test_one_good_card_is_enough_to_look_further(machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (machine / "dri/card1").touch()
    monkeypatch.setattr(sdl, "LIBRARIES", {"libno-such.so.1": "libno-such1"})
    assert why(machine).remedy.endswith("sudo apt install libno-such1")


def test_with_all_there_sdls_own_words_stand_beside_the_card(machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sdl, "LIBRARIES", {})
    assert why(machine).problem.startswith("kmsdrm not available: the card's driver offers no OpenGL ES")


def test_a_window_on_a_bare_panel_that_cannot_be_had_says_why_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "kmsdrm")
    with pytest.raises(ScreenError, check=with_fields(expected="a bare panel to draw on")) as caught:
        open_window((320, 240), "a title", fullscreen=True)
    assert "\n" not in str(caught.value)


def test_where_neither_driver_nor_desktop_is_named_a_card_makes_it_the_bare_panel(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SDL_VIDEODRIVER", "DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("appliance.display.window.drivers", lambda: SDL)
    for has_card, expected in ((True, "a bare panel to draw on"), (False, "a display for the window")):
        monkeypatch.setattr("appliance.display.window.has_card", lambda has_card=has_card: has_card)
        with pytest.raises(ScreenError, check=with_fields(expected=expected)):
            open_window((320, 240), "a title", fullscreen=True)
