"""The project's own tests in a root where the packages are installed: beside them only what they themselves are written with, and nothing of the tree's programs."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Final

from tests.machine.cache import made, scratch
from tests.machine.debian import run
from tests.packaged.packages import ENVIRONMENT, ROOT, Debian, Suite

PYTHON: Final[dict[Suite, str]] = {"bookworm": "3.11", "trixie": "3.13"}
INSIDE: Final = "/proof"
BENEATH: Final = ("execnet", "iniconfig", "packaging", "pluggy", "sortedcontainers")
"""What pytest and hypothesis need. Pygments, too: that one is installed."""
PLATFORMS: Final = ("manylinux2014_aarch64", *(f"manylinux_2_{glibc}_aarch64" for glibc in (17, 27, 28, 34)))
_CONFIGURATION: Final = "[pytest]\npythonpath = .\naddopts = --strict-markers --import-mode=importlib -p no:cacheprovider\ntimeout = 900\n"
LONG: Final = ("test_*_property.py", "test_looking_changes_nothing.py", "test_monkey.py", "test_set_aside.py")
"""Left out: they play by chance for minutes, and what they show is no question of the processor."""
_PASSED: Final = re.compile(r"(\d+) passed(?:, \d+ warnings?)? in .*")


def emulated() -> None:
    """Let this machine run programs for arm64, by qemu.

    Raises:
        RuntimeError: it cannot.
    """
    if not Path("/proc/sys/fs/binfmt_misc/register").exists():
        run("mount", "-t", "binfmt_misc", "binfmt_misc", "/proc/sys/fs/binfmt_misc")
    run("update-binfmts", "--enable", "qemu-aarch64")
    os.environ["QEMU_CPU"] = ENVIRONMENT["QEMU_CPU"]


def lay_tests(root: Debian, suite: Suite) -> None:
    """Put the tests and what they are written with into ``root``."""
    shutil.copytree(ROOT / "tests", root.at(f"{INSIDE}/tests"), ignore=shutil.ignore_patterns("__pycache__", "packaged", "kernel"))
    shutil.copytree(_libraries(suite), root.at(f"{INSIDE}/libraries"))
    root.at(f"{INSIDE}/pytest.ini").write_text(_CONFIGURATION, encoding="utf-8")


def python(root: Debian, *words: str) -> subprocess.CompletedProcess[str]:
    """Run the Python of the installed programs where the tests lie."""
    where = ("env", f"--chdir={INSIDE}", f"PYTHONPATH={INSIDE}/libraries", "SDL_VIDEODRIVER=dummy", "HOME=/root")
    return root.run(*where, "/usr/lib/tileclock/bin/python3", *words)


def passed(root: Debian, *parts: str) -> tuple[int, str]:
    """Run these tests, which must all pass: none fails, none is skipped.

    Returns:
        How many they were, and pytest's last line.
    """
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
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [*(each for each in project["optional-dependencies"]["dev"] if each.startswith(("pytest", "hypothesis"))), *BENEATH]
    version = PYTHON[suite]

    def make(folder: Path) -> None:
        with scratch() as target:
            pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--root-user-action=ignore"]
            where = ["--no-deps", "--target", str(target / "libraries"), "--only-binary=:all:", f"--python-version={version}"]
            run(*pip, *where, *(f"--platform={each}" for each in PLATFORMS), *wanted)
            (target / "libraries").rename(folder)

    return made(f"proof-{version}-arm64", "", [*wanted, version], make)
