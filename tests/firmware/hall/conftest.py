"""Letters, and a folder to draw into."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.appliance.display.fixtures import letters

__all__ = ["letters", "scratch"]


@pytest.fixture
def scratch(tmp_path: Path) -> Path:
    return tmp_path
