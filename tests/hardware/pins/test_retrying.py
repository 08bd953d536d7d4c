"""Unavailable pins at startup: a service retries them, a run by hand ends with an error."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from appliance.errors import BoardError, Diagnosis, PinLibraryMissing, PinUnavailable
from appliance.supervisor import supervisor
from faults.errors import TileclockError
from hardware.pins.opening import EVERY_NS, RetryingPins, open_or_retry
from tests.hardware.waiting import Systemd


class Pins:
    closed = 0

    def close(self) -> None:
        self.closed += 1


@dataclass
class Library:
    """Raises what is on its list, one at each try; then it has pins."""

    errors: list[TileclockError]
    tried: int = 0
    pins: Pins = field(default_factory=Pins)

    def open(self) -> Pins:
        self.tried += 1
        if self.errors:
            raise self.errors.pop(0)
        return self.pins


GONE, TAKEN = (
    PinUnavailable(expected="a chip", found="none", remedy="Run it on a Pi"),
    PinUnavailable(expected="GPIO4", found="it busy", remedy="End the other program"),
)


def test_pins_that_are_there_are_given_as_they_are() -> None:
    library = Library([])
    with open_or_retry(library.open, 0, Systemd()) as found:
        assert found == (library.pins, None)
        assert library.pins.closed == 0
    assert library.pins.closed == 1


@pytest.mark.parametrize("error", [GONE, PinLibraryMissing(expected="a library", found="none")])
def test_where_nobody_watches_it_is_the_error(error: TileclockError) -> None:
    with pytest.raises(type(error)) as caught, open_or_retry(Library([error]).open, 0, None):
        pass
    assert caught.value is error


def test_a_board_that_cannot_be_is_an_error_whoever_watches() -> None:
    library = Library([BoardError(expected="a pin once", found="it twice")])
    with pytest.raises(BoardError), open_or_retry(library.open, 0, Systemd()):
        pass


def test_they_are_tried_every_five_seconds_until_they_are_there_and_systemd_hears_each_new_reason_once() -> None:
    systemd, library = Systemd(), Library([GONE, GONE, TAKEN])
    awaited = RetryingPins(library.open, library.errors.pop(0), 7, systemd)
    assert (awaited.why, awaited.due) == (Diagnosis.of(GONE), 7 + EVERY_NS)
    assert awaited.retry(awaited.due - 1) is None
    assert library.tried == 0
    assert awaited.retry(awaited.due) is None
    assert awaited.retry(awaited.due) is None
    assert awaited.why == Diagnosis.of(TAKEN)
    assert awaited.retry(awaited.due) is library.pins
    assert not awaited.why
    assert systemd.heard == [f"STATUS=No pins,retrying: {GONE}", f"STATUS=No pins,retrying: {TAKEN}", "STATUS="]


def test_what_was_opened_in_the_end_is_closed_with_it() -> None:
    library = Library([GONE])
    with open_or_retry(library.open, 0, Systemd()) as (_, awaited):
        assert awaited is not None
        awaited.close()
        assert library.pins.closed == 0
        assert awaited.retry(EVERY_NS) is library.pins
    assert library.pins.closed == 1


def test_where_no_pins_are_used_there_is_nothing_to_retry() -> None:
    found: tuple[Pins | None, RetryingPins[Pins] | None]
    with open_or_retry(None, 0, None) as found:
        assert found == (None, None)


def test_a_program_is_watched_where_systemd_named_a_socket() -> None:
    systemd = Systemd()
    assert supervisor(systemd, {"NOTIFY_SOCKET": "/run/notify"}, "WISH").notifier is systemd
    assert supervisor(systemd, {}, "WISH").notifier is None
