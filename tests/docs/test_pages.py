"""The README stays short, and the settings reference has every setting."""

import subprocess
import sys
from collections.abc import Iterator
from typing import Final

from pydantic import BaseModel

from firmware.settings.model import Settings as ClockSettings
from hall.settings import Settings as HallSettings
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


def test_every_setting_is_in_the_reference_with_its_meaning() -> None:
    script = ROOT / "docs" / "settings_reference.py"
    # The build's own: it fails where a setting has no docstring.
    printed = subprocess.run(
        [sys.executable, str(script)], cwd=ROOT, env={"PYTHONPATH": str(ROOT)}, check=True, capture_output=True, text=True
    )
    rows = [line for line in printed.stdout.splitlines() if line.startswith("| `") and not line.endswith("|  |")]
    for model in (ClockSettings, HallSettings, StationSettings):
        for key in _keys(model):
            assert any(row.startswith(f"| `{key}` |") for row in rows), f"{model.__module__}: {key}"
