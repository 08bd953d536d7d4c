"""A journal with a short game in it."""

from pathlib import Path

import pytest

from tests.firmware.journal.short_game import play


@pytest.fixture
def path(tmp_path: Path) -> Path:
    play(tmp_path / "journal.db")
    return tmp_path / "journal.db"
