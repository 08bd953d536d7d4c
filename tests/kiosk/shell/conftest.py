from collections.abc import Iterator
from pathlib import Path

import pytest

from hardware.boards.board import STATION, load_board
from tests.appliance.display.fixtures import dummy_display, letters
from tests.kiosk.shell.rig import BOARD, PIN, Rig, rig
from tools.mock_board import MockBoard

__all__ = ["dummy_display", "letters"]


@pytest.fixture
def station(dummy_display: None, tmp_path: Path) -> Iterator[Rig]:
    with rig(tmp_path, **PIN) as made:
        yield made


@pytest.fixture
def desk(station: Rig) -> Rig:
    station.opened()
    return station


@pytest.fixture
def board() -> MockBoard:
    return MockBoard(load_board("station", STATION))


@pytest.fixture
def wired(dummy_display: None, tmp_path: Path, board: MockBoard) -> Iterator[Rig]:
    with rig(tmp_path, factory=board.factory, door__key_switch=True, **BOARD, **PIN) as made:
        yield made
