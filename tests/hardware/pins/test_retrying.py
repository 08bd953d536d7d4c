"""Unavailable pins at startup: a service retries them, a run by hand ends with an error."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from appliance.errors import BoardError, Diagnosis, PinLibraryMissing, PinUnavailable, TileclockError
from appliance.service.supervisor import supervisor
from hardware.pins.retrying import EVERY_NS, RetryingPins, open_or_retry
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
    assert open_or_retry(library.open, 0, Systemd()) is library.pins


@pytest.mark.parametrize("error", [GONE, PinLibraryMissing(expected="a library", found="none")])
def test_where_nobody_watches_it_is_the_error(error: TileclockError) -> None:
    with pytest.raises(type(error)) as caught:
        open_or_retry(Library([error]).open, 0, None)
    assert caught.value is error


def test_a_board_that_cannot_be_is_an_error_whoever_watches() -> None:
    with pytest.raises(BoardError):
        open_or_retry(Library([BoardError(expected="a pin once", found="it twice")]).open, 0, Systemd())


def test_they_are_tried_every_five_seconds_until_they_are_there_and_systemd_hears_each_new_reason_once() -> None:
    systemd, library = Systemd(), Library([GONE, GONE, TAKEN])
    awaited = open_or_retry(library.open, 7, systemd)
    assert isinstance(awaited, RetryingPins)
    assert (awaited.why, awaited.due) == (Diagnosis.of(GONE), 7 + EVERY_NS)
    assert awaited.retry(awaited.due - 1) is None
    assert library.tried == 1
    assert awaited.retry(awaited.due) is None
    assert awaited.retry(awaited.due) is None
    assert awaited.why == Diagnosis.of(TAKEN)
    assert awaited.retry(awaited.due) is library.pins
    assert not awaited.why
    assert systemd.heard == [f"STATUS=No pins,retrying: {GONE}", f"STATUS=No pins,retrying: {TAKEN}", "STATUS="]


def test_what_was_opened_in_the_end_is_closed_with_it() -> None:
    library = Library([GONE])
    awaited = open_or_retry(library.open, 0, Systemd())
    awaited.close()
    assert library.pins.closed == 0
    assert isinstance(awaited, RetryingPins)
    awaited.retry(EVERY_NS)
    awaited.close()
    assert library.pins.closed == 1


def test_a_program_is_watched_where_systemd_named_a_socket() -> None:
    systemd = Systemd()
    assert supervisor(systemd, {"NOTIFY_SOCKET": "/run/notify"}, "WISH").notifier is systemd
    assert supervisor(systemd, {}, "WISH").notifier is None
