"""Players at a table of either board."""

from functools import partial

import pytest

from tests.firmware.table_menu.player import Seats, players


@pytest.fixture(params=[False, True], ids=["full", "two-button"])
def seats(request: pytest.FixtureRequest) -> Seats:
    """Return what makes two players at a table: on a full board, and on one of two buttons."""
    return partial(players, two_button=request.param)
