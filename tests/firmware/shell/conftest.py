from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.appliance.display.fixtures import letters
from tests.firmware.shell.rig import Rig, rig

__all__ = ["letters", "table"]


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Rig]:
    with rig(tmp_path) as table:
        yield table
