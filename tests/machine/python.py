"""The project and its libraries, for the Python inside: Debian bookworm's 3.11, for which every library has a wheel.

Wheels are fetched for that Python whichever one the tests run on. What has no wheel anywhere is pure Python and is made one here.
"""

import shutil
import sys
import tomllib
from pathlib import Path
from typing import Final

from tests.machine.cache import made, of_files, scratch
from tests.machine.debian import run

ROOT: Final = Path(__file__).resolve().parents[2]
_PYPROJECT: Final = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PACKAGES: Final = tuple(each.removesuffix("*") for each in _PYPROJECT["tool"]["setuptools"]["packages"]["find"]["include"])
SUITE: Final = "bookworm"
VERSION: Final = "3.11"
_PLATFORMS: Final = ("manylinux2014_x86_64", *(f"manylinux_2_{glibc}_x86_64" for glibc in range(17, 37)))
"""Up to bookworm's glibc, 2.36: pip takes each by its name only."""
_NO_WHEEL: Final = ("sdnotify",)
"""Libraries that PyPI has as source only."""


def libraries(*extras: str) -> Path:
    """Return a cached folder for PYTHONPATH with what the project needs, and with its ``extras``, such as ``old-pi``."""
    project = _PYPROJECT["project"]
    wanted: list[str] = [*project["dependencies"], *(each for extra in extras for each in project["optional-dependencies"][extra])]

    def make(folder: Path) -> None:
        with scratch() as wheels:
            _pip("wheel", "--no-deps", "--wheel-dir", str(wheels), *(each for each in wanted if each.startswith(_NO_WHEEL)))
            here = ["--only-binary=:all:", f"--python-version={VERSION}", *(f"--platform={each}" for each in _PLATFORMS)]
            _pip("install", "--target", str(folder), "--find-links", str(wheels), *here, *wanted)

    return made(f"python-{VERSION}", "", [*wanted, VERSION], make)


def project_wheel() -> Path:
    parts = ["pyproject.toml", "README.md", "LICENSE", *PACKAGES]

    def make(folder: Path) -> None:
        with scratch() as copy:
            for part in parts:
                _copy(ROOT / part, copy / part)
            _pip("wheel", "--no-deps", "--wheel-dir", str(folder), str(copy))

    return next(made("wheel", "", [of_files(ROOT / part for part in parts)], make).glob("*.whl"))


def install(wheel: Path, folder: Path) -> None:
    _pip("install", "--no-deps", "--upgrade", "--target", str(folder), str(wheel))


def _pip(verb: str, *words: str) -> None:
    asks_nothing = "--root-user-action=ignore" if verb == "install" else "--no-input"
    run(sys.executable, "-m", "pip", verb, "--quiet", "--disable-pip-version-check", asks_nothing, *words)


def _copy(source: Path, target: Path) -> None:
    if source.is_dir():
        shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
    else:
        shutil.copy2(source, target)
