"""Displays for tests: the dummy driver, the font, and a real X server where a test wants a window."""

from collections.abc import Iterator
from functools import cache, lru_cache

import pygame
import pytest

from appliance.display import drawing
from appliance.display.layout import TYPEFACE
from tests.appliance.display.xserver import x_server


@pytest.fixture
def letters() -> Iterator[None]:
    pygame.font.init()
    yield
    drawing.font.cache_clear()
    pygame.font.quit()


@cache
def _extents(_size: int) -> dict[str, tuple[int, int]]:
    return {}


class MeasuredFont(pygame.font.Font):
    """The font, which measures each text once for all tests."""

    def __init__(self, size: int) -> None:
        super().__init__(TYPEFACE, size)
        self._extents = _extents(size)

    def size(self, text: str | bytes) -> tuple[int, int]:
        assert isinstance(text, str)
        found = self._extents.get(text)
        if found is None:
            found = self._extents[text] = super().size(text)
        return found


@pytest.fixture
def measured_letters(letters: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """``letters`` for tests that write the same texts thousands of times. The station itself remembers no text."""
    fonts, real = lru_cache(MeasuredFont), drawing.font
    monkeypatch.setattr(drawing, "font", fonts)
    yield
    # No font may outlive ``letters``, which ends pygame's fonts.
    fonts.cache_clear()
    real.cache_clear()


@pytest.fixture
def dummy_display(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")


@pytest.fixture(scope="session")
def x_display(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with x_server(tmp_path_factory.mktemp("x")) as display:
        yield display
