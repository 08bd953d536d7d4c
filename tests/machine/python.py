"""The project and its libraries, for the Python inside: Debian bookworm's 3.11, for which every library has a wheel.

Wheels are fetched for that Python whichever one the tests run on. What has no wheel anywhere is pure Python and is made one here.
"""

import shutil
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from tests.machine.cache import made, of_files, scratch
from tests.machine.debian import root_tar, run, unpack
from tests.machine.image import ext4

ROOT: Final = Path(__file__).resolve().parents[2]
_PYPROJECT: Final = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PACKAGES: Final = tuple(each.removesuffix("*") for each in _PYPROJECT["tool"]["setuptools"]["packages"]["find"]["include"])
SUITE: Final = "bookworm"
VERSION: Final = "3.11"
_PLATFORMS: Final = ("manylinux2014_x86_64", *(f"manylinux_2_{glibc}_x86_64" for glibc in range(17, 37)))
"""Up to bookworm's glibc, 2.36: pip takes each by its name only."""
_NO_WHEEL: Final = ("sdnotify",)
"""Libraries that PyPI has as source only."""
_HERE: Final = ("--only-binary=:all:", f"--python-version={VERSION}", *(f"--platform={each}" for each in _PLATFORMS))
_SOURCES: Final = ("pyproject.toml", "README.md", "LICENSE", *PACKAGES)
CHECKOUT: Final = "/srv/tileclock"
"""Where the machine has a checkout: its environment names it."""


def libraries(*extras: str) -> Path:
    """Return a cached folder for PYTHONPATH with what the project needs, and with its ``extras``, such as ``old-pi``."""
    wanted = _wanted(*extras)
    wheels = _wheels(wanted)

    def make(folder: Path) -> None:
        _pip("install", "--target", str(folder), "--no-index", "--find-links", str(wheels), *_HERE, *wanted)

    return made(f"python-{VERSION}", "", [wheels.name], make)


def checkout() -> Path:
    """Return a cached disk for ``CHECKOUT`` inside: a checkout in which the Python of there has done ``make setup``."""
    tar, wheels = root_tar(SUITE, ["make", "python3", "python3-venv"]), _wheels([*_wanted(), *_PYPROJECT["build-system"]["requires"]])
    parts = ("Makefile", ".ci", "tools", *_SOURCES)

    def make(image: Path) -> None:
        with scratch() as work:
            unpack(tar, work / "root")
            tree = work / f"root/{CHECKOUT}"
            tree.mkdir(parents=True)
            for part in parts:
                _copy(ROOT / part, tree / part)
            container = ["systemd-nspawn", "--quiet", "--register=no", "--keep-unit", "--private-network", f"--directory={work / 'root'}"]
            index = [f"--bind-ro={wheels}:/wheels", "--setenv=PIP_NO_INDEX=1", "--setenv=PIP_FIND_LINKS=/wheels"]
            run(*container, *index, f"--chdir={CHECKOUT}", "make", "setup")
            ext4(tree, image, mib=900)

    return made("checkout", ".ext4", [tar.name, wheels.name, of_files(ROOT / part for part in parts)], make)


def _wanted(*extras: str) -> list[str]:
    project = _PYPROJECT["project"]
    return [*project["dependencies"], *(each for extra in extras for each in project["optional-dependencies"][extra])]


def _wheels(wanted: Sequence[str]) -> Path:
    """Return a cached folder with the wheels of ``wanted`` and of all they need."""

    def make(folder: Path) -> None:
        _pip("wheel", "--no-deps", "--wheel-dir", str(folder), *(each for each in wanted if each.startswith(_NO_WHEEL)))
        _pip("download", "--dest", str(folder), "--find-links", str(folder), *_HERE, *wanted)

    return made(f"wheels-{VERSION}", "", [*wanted, VERSION], make)


def project_wheel() -> Path:
    def make(folder: Path) -> None:
        with scratch() as copy:
            for part in _SOURCES:
                _copy(ROOT / part, copy / part)
            _pip("wheel", "--no-deps", "--wheel-dir", str(folder), str(copy))

    return next(made("wheel", "", [of_files(ROOT / part for part in _SOURCES)], make).glob("*.whl"))


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
