"""A broker of one's own: real TLS, an access list, and nothing on the disk."""

from __future__ import annotations

from pathlib import Path

import pytest

from hall.errors import BrokerError, HallFolderError
from hall.keys.files import LISTENER, HallFiles
from tests.errors import with_fields
from tests.hall.client import connected
from tests.hall.conftest import TrialHall
from tools.trial_broker import Broker
from wire.topics import Topics


def test_a_device_reaches_the_listener(broker: Broker, trial_hall: TrialHall) -> None:
    state = Topics(trial_hall.plan.hall).of_device(trial_hall.clock, "state")
    with connected(broker, trial_hall.files.identity(LISTENER)) as listener:
        listener.subscribe(Topics(trial_hall.plan.hall).of_device("+", "#"))
        with connected(broker, trial_hall.files.identity(trial_hall.clock)) as clock:
            assert clock.publish(state, b"{}") == 0
        listener.wait(lambda: listener.topics() == {state}, "the state")


def test_a_restart_forgets_retained_messages(broker: Broker, trial_hall: TrialHall) -> None:
    state = Topics(trial_hall.plan.hall).of_device(trial_hall.clock, "state")
    with connected(broker, trial_hall.files.identity(trial_hall.clock)) as clock:
        clock.publish(state, b"old", retain=True)
    before = broker.pid
    broker.restart()
    assert broker.pid != before
    with connected(broker, trial_hall.files.identity(trial_hall.clock)) as clock:
        clock.publish(state, b"new", retain=False)
        with connected(broker, trial_hall.files.identity(LISTENER)) as listener:
            listener.subscribe(state)
            clock.publish(state, b"newer", retain=True)
            listener.wait(lambda: bool(listener.messages), "the state")
            assert listener.messages[0][1] == b"newer"


def test_a_port_that_another_program_listens_on_is_refused_though_that_program_answers(
    broker: Broker, trial_hall: TrialHall, tmp_path: Path
) -> None:
    with pytest.raises(BrokerError, match="in use"):
        Broker(tmp_path / "second", trial_hall.plan, broker.port)


def test_a_halls_keys_are_never_overwritten(trial_hall: TrialHall) -> None:
    with pytest.raises(HallFolderError, check=with_fields(found="files")):
        HallFiles.make(trial_hall.files.folder, "other", ("localhost",), None)
