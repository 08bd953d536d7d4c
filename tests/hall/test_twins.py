"""Two devices with one id, such as two cards with the same image: each hears why its connection ends, and they do not wear out the broker."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from tests.hall.conftest import TrialHall
from tests.hall.link.linked import LinkedDevice, link, served
from tests.processes import until
from tools.trial_broker import Broker

pytestmark = pytest.mark.waits(11)


SECONDS = 8


def test_twins_hear_of_each_other_and_slow_down(broker: Broker, trial_hall: TrialHall, tmp_path: Path) -> None:
    identity = trial_hall.files.identity(trial_hall.clock)
    twins = (LinkedDevice(trial_hall.clock), LinkedDevice(trial_hall.clock))
    first, second = tmp_path / "first.sock", tmp_path / "second.sock"
    with served(twins[0], first), served(twins[1], second), link(identity, broker, first), link(identity, broker, second):
        until(lambda: all(any("another device may use" in state.why for state in twin.states) for twin in twins), "that there are two")
        before = broker.log().count("New client connected")
        threading.Event().wait(SECONDS)
        # Without a growing pause there would be some hundreds.
        assert broker.log().count("New client connected") - before < SECONDS * 5
