"""Whether a frame arrived: what the controller reads beside what was drawn. The reading itself wants a panel (tests/glass)."""

from __future__ import annotations

import random

import pygame
import pytest

from appliance.display import frame_check
from appliance.display.frame_check import Scanout, alike, frame_arrived, scanned_out

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


@pytest.mark.parametrize("fourcc", ["XR24", "XB24"])
def test_the_picture_itself_has_arrived_whatever_the_order_of_its_colours(fourcc: str) -> None:
    assert alike(drawn(), shown(drawn(), fourcc))


def test_a_tiled_buffer_is_the_same_picture() -> None:
    whole = shown(drawn(), padding=0)
    tiles = [whole.pixels[start : start + 64] for start in range(0, len(whole.pixels), 64)]
    random.Random(1).shuffle(tiles)  # noqa: S311 - no secret
    assert alike(drawn(), Scanout(*SIZE, "XR24", b"".join(tiles)))


def test_a_black_buffer_and_another_picture_are_not() -> None:
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
