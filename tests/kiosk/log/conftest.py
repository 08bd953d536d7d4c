from pathlib import Path

import pytest

from tests.appliance.records.refusing import open_folder
from tests.kiosk.log.making import written

__all__ = ["open_folder", "path"]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return written(tmp_path / "station.db")
