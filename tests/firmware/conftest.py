from functools import partial

import pytest

from tests.firmware.table_menu.player import Seats, players


@pytest.fixture(params=[False, True], ids=["full", "two-button"])
def seats(request: pytest.FixtureRequest) -> Seats:
    return partial(players, two_button=request.param)
