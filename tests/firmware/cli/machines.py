"""A machine whose boot partition has good settings and a board of its own, and what spoils them."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from firmware.cli.main import main
from firmware.settings import places

GOOD = '[screen]\nkind = "none"\n[board]\npins = "mock"\nfile = "board.toml"\n[journal]\npath = "journal.db"\n'
BOARD = 'title = "Ours"\nkind = "two-button"\n[buttons.left]\ngpio = 5\n[buttons.right]\ngpio = 6\n'


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A machine whose boot partition has good settings and a board of its own."""
    monkeypatch.setattr(places, "SYSTEM_FILE", tmp_path / "clock.toml")
    monkeypatch.setattr(places, "BOOT_FILES", (tmp_path / "tileclock.toml",))
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "state"))
    (tmp_path / "tileclock.toml").write_text(GOOD, encoding="utf-8")
    (tmp_path / "board.toml").write_text(BOARD, encoding="utf-8")
    return tmp_path


def take(*words: str) -> Result:
    return CliRunner().invoke(main, ["config", *words, "take"])


def spoil(file: Path, text: str | None) -> None:
    if text is None:
        file.unlink()
    else:
        file.write_text(text, encoding="utf-8")
