"""Screens without a screen: the dummy driver, the font, and a real X server where a test wants a window."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pygame
import pytest

from firmware.screens.lettering import forget


@pytest.fixture
def letters() -> Iterator[None]:
    pygame.font.init()
    yield
    forget()
    pygame.font.quit()


@pytest.fixture
def dummy_display(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")


@pytest.fixture(scope="session")
def x_display(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Yield the name of a display of its own; the server says on a pipe which one is free."""
    read, write = os.pipe()
    log = (tmp_path_factory.mktemp("x") / "log").open("w")
    program = shutil.which("Xvfb") or "Xvfb"
    server = subprocess.Popen(
        [program, "-displayfd", str(write), "-screen", "0", "1024x600x24", "-nolisten", "tcp"], pass_fds=(write,), stdout=log, stderr=log
    )
    os.close(write)
    with os.fdopen(read) as told:
        number = told.readline().strip()
    yield f":{number}"
    server.terminate()
    server.wait()
    log.close()


@pytest.fixture
def scratch(tmp_path: Path) -> Path:
    return tmp_path
