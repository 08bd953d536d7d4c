"""Board files for tests: a clock's, a station's, the displays that may be added, and what is said of a bad one."""

from __future__ import annotations

from pathlib import Path

import pytest

from appliance.errors import BoardError
from hardware.boards.board import load_board

TWO = """
title = "Club table 4"
kind = "two-button"
[buttons.left]
gpio = 5
[buttons.right]
gpio = 6
"""

DISPLAYS = """
[displays.left]
port = "/dev/ttyAMA0"
tx = 14
[displays.right]
port = "/dev/ttyUSB0"
"""

STAND = """
title = "Station by the door"
kind = "station"
[buttons.adjudicate]
gpio = 5
"""


def refused(tmp_path: Path, text: str) -> str:
    """Return what is said of a board file with that text."""
    path = tmp_path / "table.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BoardError) as caught:
        load_board(path)
    message = str(caught.value)
    assert message.startswith(f"{path}: ")
    assert "\n" not in message
    return message.removeprefix(f"{path}: ")
