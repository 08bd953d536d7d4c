"""French puts a blank that does not break before its high marks and inside its quotation marks, in every text of both programs."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import appliance
from tests.cells import each_cell

ROOT: Final = Path(appliance.__file__).parent.parent
FILES: Final = sorted(
    path for package in ("appliance", "firmware", "kiosk", "hardware", "rules") for path in (ROOT / package).rglob("fr.toml")
)
BREAKS: Final = re.compile(r"[^\u00a0\u202f][;:!?»](?:\W|$)|«[^\u00a0\u202f]")


def texts(table: dict[str, Any]) -> Iterator[str]:
    """Yield every text of a file; a key may be English."""
    for value in table.values():
        if isinstance(value, dict):
            yield from texts(value)
        else:
            yield value


def test_no_line_of_french_can_begin_with_a_high_mark() -> None:
    assert len(FILES) == 5
    for cell in each_cell(FILES, lambda path: path.relative_to(ROOT)):
        with cell as path:
            found = list(texts(tomllib.loads(path.read_text("utf-8"))))
            assert len(found) > 30
            assert [text for text in found if BREAKS.search(text)] == []
