import os
import subprocess
import sys
from pathlib import Path

import pygame
import pytest

from appliance.display import pane
from appliance.display.layout import Rotation
from appliance.display.pane import paint_console, show_name
from appliance.splash import paint as module
from appliance.splash.paint import GROUND, INK, Pixels, frame, name_picture, paint, screen_settings
from tests.cells import each_cell
from tools.splash import FOLDER, NAMES, WIDTHS, picture

XRGB = Pixels(32, [16, 8, 0, 8, 8, 0, 0, 8, 0])
RGB565 = Pixels(16, [11, 5, 0, 5, 6, 0, 0, 5, 0])
LETTER_L = [b"\xff\0", b"\xff\0", b"\xff\xff"]


def lit(degrees: int, panel: tuple[int, int, int] = (6, 6, 28)) -> set[tuple[int, int]]:
    raw = frame(LETTER_L, panel, XRGB, degrees)
    width, height, stride = panel
    assert len(raw) == height * stride
    ink = XRGB.of(255)
    return {(x, y) for y in range(height) for x in range(width) if raw[y * stride + 4 * x :][:4] == ink}


def test_the_name_stands_in_the_middle_turns_clockwise_and_is_in_the_frame_buffers_pixels() -> None:
    assert lit(0) == {(2, 1), (2, 2), (2, 3), (3, 3)}
    assert lit(90) == {(1, 2), (2, 2), (3, 2), (1, 3)}
    assert lit(180) == {(2, 1), (3, 1), (3, 2), (3, 3)}
    assert lit(270) == {(3, 2), (1, 3), (2, 3), (3, 3)}
    assert XRGB.of(0) == bytes((GROUND[2], GROUND[1], GROUND[0], 0))
    assert XRGB.of(255) == bytes((INK[2], INK[1], INK[0], 0))
    assert RGB565.of(255) == ((INK[0] >> 3) << 11 | (INK[1] >> 2) << 5 | INK[2] >> 3).to_bytes(2, "little")
    assert frame(LETTER_L, (1, 1, 4), XRGB, 0) == XRGB.of(0)


@pytest.mark.usefixtures("letters")
@pytest.mark.parametrize("program", NAMES)
def test_the_name_takes_at_most_half_of_the_width_and_is_kept_as_the_lettering_of_the_programs(program: str) -> None:
    for cell in each_cell([(1920, 512), (1024, 512), (800, 360), (480, 240), (100, 160)]):
        with cell as (width, expected):
            assert expected - 12 <= len(name_picture(program, width)[0]) <= expected
    for width in WIDTHS:
        assert (FOLDER / f"{program}-{width}.pgm").read_bytes() == picture(NAMES[program], width), "make them anew: python -m tools.splash"


def test_of_the_files_that_speak_of_the_screen_the_last_counts_and_a_frame_buffer_without_a_driver_is_left_alone(tmp_path: Path) -> None:
    texts = {
        "a.toml": "[screen]\nrotate = 90\nkind = 'window'\n",
        "b.toml": "screen.rotate = 180\n",
        "c.toml": "[screen\nrotate = 270",
        "d.toml": "screen = 1\n",
        "e.toml": "screen = " + "[" * 9999,
    }
    os.mkfifo(tmp_path / "pipe")
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    paths = [str(tmp_path / name) for name in (*texts, "missing.toml", "pipe")]
    assert screen_settings(paths) == {"rotate": 180, "kind": "window"}
    (tmp_path / "device").mkdir()
    paint("tileclock", system=str(tmp_path), device=str(tmp_path / "fb0"))


def test_it_runs_by_its_path_with_nothing_but_pythons_own_modules(tmp_path: Path) -> None:
    words = [sys.executable, "-I", "-S", "-X", "importtime", module.__file__, "tileclock", str(tmp_path / "none.toml")]
    said = subprocess.run(words, capture_output=True, text=True, check=True)
    assert "tomllib" not in said.stderr
    assert "pathlib" not in said.stderr


@pytest.mark.parametrize("rotate", [0, 90, 180, 270])
def test_the_name_is_drawn_on_the_panel_turned(dummy_display: None, rotate: Rotation) -> None:
    pygame.display.init()
    surface = pygame.display.set_mode((800, 480))
    show_name(surface, "tilekiosk", rotate)
    seen = surface.get_size() if rotate in (0, 180) else surface.get_size()[::-1]
    # As the frame buffer has it, with the bytes of a pixel in another order.
    raw = frame(name_picture("tilekiosk", seen[0]), (800, 480, 3200), Pixels(32, [16, 8, 0, 8, 8, 0, 0, 8, 0]), rotate)
    red, green, blue = raw[2::4], raw[1::4], raw[0::4]
    shown = pygame.image.tobytes(surface, "RGB")
    assert (shown[0::3], shown[1::3], shown[2::3]) == (red, green, blue)
    assert tuple(surface.get_at((0, 0)))[:3] == GROUND
    pygame.display.quit()


def test_a_frame_buffer_that_cannot_be_painted_stays_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, int]] = []

    def fails(program: str, degrees: int) -> None:
        asked.append((program, degrees))
        raise PermissionError

    monkeypatch.setattr(pane, "paint", fails)
    paint_console("tilekiosk", 90)
    assert asked == [("tilekiosk", 90)]
