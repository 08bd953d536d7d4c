"""The README stays short, and the settings reference has every setting."""

import subprocess
import sys
from collections.abc import Iterator
from typing import Final

import pytest
from pydantic import BaseModel

from firmware.settings.model import Settings as ClockSettings
from kiosk.settings.model import Settings as StationSettings
from tests.docs.pages import ROOT

LONGEST_README: Final = 120


def test_the_readme_is_short_and_has_two_pictures() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    assert len(readme.splitlines()) <= LONGEST_README
    assert readme.count("![") == 2


def test_every_page_is_in_the_index() -> None:
    index = (ROOT / "docs" / "index.md").read_text("utf-8").splitlines()
    pages = (page.relative_to(ROOT / "docs").with_suffix("") for page in (ROOT / "docs").rglob("*.md"))
    assert [str(page) for page in pages if str(page) not in (*index, "index")] == []


def _keys(model: type[BaseModel]) -> Iterator[str]:
    for key, field in model.model_fields.items():
        if isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel):
            yield from _keys(field.annotation)
        else:
            yield key


@pytest.fixture(scope="module")
def reference() -> str:
    """What the build's own script prints: it fails where a setting has no meaning."""
    script = ROOT / "docs" / "settings_reference.py"
    return subprocess.run(
        [sys.executable, str(script)], cwd=ROOT, env={"PYTHONPATH": str(ROOT)}, check=True, capture_output=True, text=True
    ).stdout


@pytest.mark.parametrize("model", [ClockSettings, StationSettings], ids=["tileclock", "tilekiosk"])
def test_every_setting_is_in_the_reference_with_its_meaning(model: type[BaseModel], reference: str) -> None:
    rows = [line for line in reference.splitlines() if line.startswith("| `")]
    for key in _keys(model):
        assert any(row.startswith(f"| `{key}` |") and not row.endswith("|  |") for row in rows), key
