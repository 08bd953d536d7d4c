"""The packages on a Pi's processor: built for arm64, installed by apt in an emulated root, looked over as this machine's are, and proven there by the
project's own tests, run on what is installed."""

import json
import time
from collections.abc import Iterator
from typing import Final

import pytest

from tests.machine.figures import Figures
from tests.packaged.arm64.proof import emulated, lay_tests, passed, python
from tests.packaged.packages import Debian, Suite, debian, packages
from tests.packaged.test_packages import (
    administered,
    suite,
    test_a_boot_starts_what_is_installed_and_installing_starts_nothing,
    test_a_script_replays_to_the_letter,
    test_clock_and_station_open_their_windows_as_on_a_panel_with_debians_pygame,
    test_every_program_explains_itself,
    test_installing_asks_nothing_and_says_nothing_went_wrong,
    test_removing_leaves_data_and_purging_takes_it,
    test_the_demonstration_says_that_it_needs_a_checkout,
    test_the_doctor_looks_the_machine_over_without_a_traceback,
    test_the_modules_are_compiled_once_at_installing_and_belong_to_no_package,
    test_the_practice_lexicon_judges,
    test_the_programs_belong_to_users_that_nobody_logs_in_as,
    test_the_station_paints_with_debians_pygame,
    test_what_touches_the_machine_is_debians_and_draws_on_a_bare_panel,
)

__all__ = [
    "administered",
    "suite",
    "test_a_boot_starts_what_is_installed_and_installing_starts_nothing",
    "test_a_script_replays_to_the_letter",
    "test_clock_and_station_open_their_windows_as_on_a_panel_with_debians_pygame",
    "test_every_program_explains_itself",
    "test_installing_asks_nothing_and_says_nothing_went_wrong",
    "test_removing_leaves_data_and_purging_takes_it",
    "test_the_demonstration_says_that_it_needs_a_checkout",
    "test_the_doctor_looks_the_machine_over_without_a_traceback",
    "test_the_modules_are_compiled_once_at_installing_and_belong_to_no_package",
    "test_the_practice_lexicon_judges",
    "test_the_programs_belong_to_users_that_nobody_logs_in_as",
    "test_the_station_paints_with_debians_pygame",
    "test_what_touches_the_machine_is_debians_and_draws_on_a_bare_panel",
]
PARTS: Final = {
    "the clock's core, its rulebooks and replays": ("game", "rules/rulebooks", "firmware/test_replay.py"),
    "the clock's gestures, settings and journal": ("firmware/gestures", "firmware/settings", "firmware/journal"),
    "the displays by their decoder on a pty": ("hardware/led",),
    "the lexicon": tuple(f"lexicon/test_{each}.py" for each in ("alphabet", "dawg", "header", "reader")),
    "the station's challenges and log": ("kiosk/challenge", "kiosk/log/test_log.py"),
}
"""What the rest leans on: all of them would take hours here."""
WHERE: Final = """
import json, platform, firmware, gpiod, hardware, kiosk, lexicon, pydantic_core, pytest
ours = (firmware, gpiod, hardware, kiosk, lexicon, pydantic_core)
print(json.dumps({"machine": platform.machine(), **{each.__name__: each.__file__ or each.__path__[0] for each in ours}}))
"""
pytestmark = pytest.mark.timeout(3600)


@pytest.fixture(scope="module")
def installed(suite: Suite, figures: Figures) -> Iterator[tuple[Debian, str]]:
    """An emulated root with the packages in it, not to be changed; and what was said meanwhile."""
    emulated()
    start = time.monotonic()
    built = packages(suite, "arm64")
    figures.add(f"{suite}: packages for arm64 there after {time.monotonic() - start:.0f} s")
    with debian(suite, "arm64") as root:
        start = time.monotonic()
        said = root.install(built)
        figures.add(f"{suite}: installed by apt in {time.monotonic() - start:.0f} s")
        yield root, said


@pytest.fixture(scope="module")
def proof(suite: Suite, installed: tuple[Debian, str]) -> Debian:
    """The same with the project's tests beside."""
    root, _ = installed
    lay_tests(root, suite)
    return root


def test_the_tests_are_run_on_what_is_installed_by_a_pis_processor(proof: Debian) -> None:
    done = python(proof, "-c", WHERE)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    assert found.pop("machine") == "aarch64"
    assert [file for file in found.values() if not file.startswith("/usr/lib/tileclock/")] == []


@pytest.mark.parametrize("part", PARTS)
def test_the_projects_own_tests_pass_there(suite: Suite, proof: Debian, part: str, figures: Figures) -> None:
    number, said = passed(proof, *PARTS[part])
    figures.add(f"{suite}: {part}: {said}")
    assert number > 0
