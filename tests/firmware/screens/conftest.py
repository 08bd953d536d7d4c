from pathlib import Path

import pytest

from tests.appliance.display.fixtures import dummy_display, letters, measured_letters, x_display

__all__ = ["dummy_display", "letters", "measured_letters", "scratch", "x_display"]


@pytest.fixture
def scratch(tmp_path: Path) -> Path:
    return tmp_path
