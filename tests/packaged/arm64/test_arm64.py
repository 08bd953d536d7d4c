"""The packages on a Pi's processor: built for arm64, installed by apt in an emulated root, looked over as this machine's are, and proven there by the
project's own tests, run on what is installed."""

# ruff: noqa: F401, F811 - the tests and fixtures of test_packages run here too

import json
import os
import re
import shutil
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.machine.cache import made, scratch
from tests.machine.debian import run
from tests.machine.figures import Figures
from tests.packaged.packages import ENVIRONMENT, ROOT, Debian, Suite, debian, packages
from tests.packaged.test_packages import (
    administered,
    suite,
    test_a_boot_starts_what_is_installed_and_installing_starts_nothing,
    test_a_script_replays_to_the_letter,
    test_clock_and_station_open_their_windows_and_paint_as_on_a_panel_with_debians_pygame,
    test_every_program_explains_itself,
    test_installing_asks_nothing_and_says_nothing_went_wrong,
    test_removing_leaves_data_and_purging_takes_it,
    test_the_demonstration_plays_out_of_the_packages,
    test_the_doctor_looks_the_machine_over_without_a_traceback,
    test_the_halls_demonstration_says_that_it_needs_a_checkout,
    test_the_modules_are_compiled_once_at_installing_and_belong_to_no_package,
    test_the_practice_lexicon_judges,
    test_the_programs_belong_to_users_that_nobody_logs_in_as,
    test_what_touches_the_machine_is_debians_and_draws_on_a_bare_panel,
)

PYTHON: Final[dict[Suite, str]] = {"bookworm": "3.11", "trixie": "3.13"}
INSIDE: Final = "/proof"
BENEATH: Final = ("execnet", "iniconfig", "packaging", "pluggy", "sortedcontainers")
"""What pytest and hypothesis need. Pygments, too: that one is installed."""
PLATFORMS: Final = ("manylinux2014_aarch64", *(f"manylinux_2_{glibc}_aarch64" for glibc in (17, 27, 28, 34)))
_CONFIGURATION: Final = "[pytest]\npythonpath = .\naddopts = --strict-markers --import-mode=importlib -p no:cacheprovider\ntimeout = 900\n"
LONG: Final = ("test_*_property.py", "test_looking_changes_nothing.py", "test_monkey.py", "test_set_aside.py")
"""Left out: they play by chance for minutes, and what they show is no question of the processor."""
_PASSED: Final = re.compile(r"(\d+) passed(?:, \d+ warnings?)? in .*")
PARTS: Final = {
    "the clock's core, its rulebooks and replays": ("game", "rules/rulebooks", "firmware/test_replay.py"),
    "the clock's gestures, settings and journal": ("firmware/gestures", "firmware/settings", "firmware/journal"),
    "the displays by their decoder on a pty": ("hardware/test_led.py",),
    "the lexicon": tuple(f"lexicon/test_{each}.py" for each in ("alphabet", "header", "reader")),
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
    """An emulated root with the packages in it, not to be changed; and the output of their installation."""
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
    """The same with the project's tests beside, and what they are written with."""
    root, _ = installed
    shutil.copytree(ROOT / "tools", root.at(f"{INSIDE}/tools"), ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "tests", root.at(f"{INSIDE}/tests"), ignore=shutil.ignore_patterns("__pycache__", "packaged", "kernel"))
    shutil.copytree(_libraries(suite), root.at(f"{INSIDE}/libraries"))
    root.at(f"{INSIDE}/pytest.ini").write_text(_CONFIGURATION, encoding="utf-8")
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


def emulated() -> None:
    if not Path("/proc/sys/fs/binfmt_misc/register").exists():
        run("mount", "-t", "binfmt_misc", "binfmt_misc", "/proc/sys/fs/binfmt_misc")
    run("update-binfmts", "--enable", "qemu-aarch64")
    os.environ["QEMU_CPU"] = ENVIRONMENT["QEMU_CPU"]


def python(root: Debian, *words: str) -> subprocess.CompletedProcess[str]:
    where = ("env", f"--chdir={INSIDE}", f"PYTHONPATH={INSIDE}/libraries", "SDL_VIDEODRIVER=dummy", "HOME=/root")
    return root.run(*where, "/usr/lib/tileclock/bin/python3", *words)


def passed(root: Debian, *parts: str) -> tuple[int, str]:
    """Run these tests, of which none may fail or be skipped; return how many they were, and pytest's last line."""
    left_out = (f"--ignore-glob=*/{each}" for each in LONG)
    done = python(root, "-m", "pytest", "-n", str(os.cpu_count() or 1), *left_out, *(f"tests/{part}" for part in parts))
    said = f"{done.stdout}\n{done.stderr}"
    assert done.returncode == 0, said
    last = done.stdout.rstrip().splitlines()[-1].strip("= ")
    match = _PASSED.fullmatch(last)
    assert match, said
    return int(match[1]), last


def _libraries(suite: Suite) -> Path:
    """Return a cached folder for PYTHONPATH with pytest and hypothesis for arm64, in the versions that this machine's tests run with."""
    groups = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["dependency-groups"]
    wanted = [*(each for each in groups["dev"] if each.startswith(("pytest", "hypothesis"))), *BENEATH]
    version = PYTHON[suite]

    def make(folder: Path) -> None:
        with scratch() as target:
            pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--root-user-action=ignore"]
            where = ["--no-deps", "--target", str(target / "libraries"), "--only-binary=:all:", f"--python-version={version}"]
            run(*pip, *where, *(f"--platform={each}" for each in PLATFORMS), *wanted)
            (target / "libraries").rename(folder)

    return made(f"proof-{version}-arm64", "", [*wanted, version], make)
