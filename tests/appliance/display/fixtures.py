"""Displays for tests: the dummy driver, the font, and a real X server where a test wants a window."""

from __future__ import annotations

from collections.abc import Iterator

import pygame
import pytest

from appliance.display.lettering import drop_fonts
from tests.appliance.display.xserver import x_server


@pytest.fixture
def letters() -> Iterator[None]:
    pygame.font.init()
    yield
    drop_fonts()
    pygame.font.quit()


@pytest.fixture
def dummy_display(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")


@pytest.fixture(scope="session")
def x_display(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Yield the name of a display of its own."""
    with x_server(tmp_path_factory.mktemp("x")) as display:
        yield display
