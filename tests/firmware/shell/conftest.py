from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.firmware.shell.rig import Rig, rig


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Rig]:
    with rig(tmp_path) as table:
        yield table
