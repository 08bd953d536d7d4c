"""The wheel, built from the tree as it is now: what the programs run on, and nothing that only a developer runs."""

import zipfile
from fnmatch import fnmatch
from pathlib import Path, PurePosixPath
from typing import Final

import pytest

from tests.machine.python import PACKAGES, ROOT, project_wheel

NOT_SHIPPED: Final = ("tools/*", "tests/*", "*/test_*", "*.scad", "*.png")


@pytest.fixture(scope="module")
def names() -> set[str]:
    with zipfile.ZipFile(project_wheel()) as wheel:
        return {name for name in wheel.namelist() if not name.partition("/")[0].endswith(".dist-info")}


def test_the_wheel_has_every_module_of_the_programs_and_their_data(names: set[str]) -> None:
    sources = [file.relative_to(ROOT) for package in PACKAGES for file in (ROOT / package).rglob("*.py")]
    wanted = {str(PurePosixPath(source)) for source in sources}
    assert {name for name in wanted if not not_shipped(name)} == {name for name in names if name.endswith(".py")}
    data = {"rules/rulebooks/club.toml", "hardware/boards/shipped/full.toml", "kiosk/texts/fr.toml", "lexicon/practice/practice.dawg"}
    assert data <= names
    assert {name for name in names if fnmatch(name, "appliance/splash/*.pgm")} == pictures()


def test_the_wheel_has_no_generators_of_pictures_cases_or_tests(names: set[str]) -> None:
    assert {name for name in names if not_shipped(name)} == set()


def not_shipped(name: str) -> bool:
    return any(fnmatch(name, pattern) for pattern in NOT_SHIPPED)


def pictures() -> set[str]:
    return {str(PurePosixPath(path.relative_to(ROOT))) for path in Path(ROOT / "appliance/splash").glob("*.pgm")}
