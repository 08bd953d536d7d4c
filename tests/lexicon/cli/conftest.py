"""A small lexicon for every test that needs one."""

from pathlib import Path

import pytest

from tests.lexicon.cli.program import CLUB, lexicon_of


@pytest.fixture
def club(tmp_path: Path) -> Path:
    return lexicon_of(tmp_path / "club.dawg", *CLUB)
