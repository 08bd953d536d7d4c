from pathlib import Path

import pytest

from tests.appliance.records.refusing import open_folder
from tests.firmware.journal.short_game import play

__all__ = ["open_folder", "path"]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    play(tmp_path / "journal.db")
    return tmp_path / "journal.db"
