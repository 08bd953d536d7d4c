from __future__ import annotations

import time
from dataclasses import dataclass

import pytest

from appliance.finding import State
from firmware.doctor.examine import check_boot, check_monotonic


@dataclass(frozen=True)
class _Info:
    implementation: str
    resolution: float


def test_this_machines_monotonic_clock_is_the_one_the_kernel_stamps_with() -> None:
    (finding,) = check_monotonic(time.get_clock_info("monotonic"))
    assert finding.state is State.OK
    assert finding.found.startswith("clock_gettime(CLOCK_MONOTONIC), resolution ")


@pytest.mark.parametrize(
    ("implementation", "resolution", "state"),
    [
        ("clock_gettime(CLOCK_MONOTONIC)", 1e-9, State.OK),
        ("clock_gettime(CLOCK_MONOTONIC)", 1e-4, State.NOTE),
        ("clock_gettime(CLOCK_MONOTONIC)", 4e-3, State.FAIL),
        ("mach_absolute_time()", 1e-9, State.FAIL),
    ],
)
def test_a_coarse_clock_is_noted_a_very_coarse_or_another_one_fails(implementation: str, resolution: float, state: State) -> None:
    (finding,) = check_monotonic(_Info(implementation, resolution))
    assert finding.state is state


def test_a_boot_id_that_cannot_be_read_fails_with_where_it_lies() -> None:
    def hidden() -> str:
        raise FileNotFoundError(2, "No such file or directory", "/proc/sys/kernel/random/boot_id")

    (finding,) = check_boot(hidden)
    assert finding.state is State.FAIL
    assert "/proc" in finding.fix
    (finding,) = check_boot(lambda: "94223ce0-1111-2222-3333-444455556666")
    assert (finding.state, finding.found) == (State.OK, "94223ce0...")
