"""The rulebooks to choose from: shipped ones and those of the settings, as they are now; a file that cannot be used is passed over."""

from __future__ import annotations

from pathlib import Path

import pytest

from kiosk.shell.deskwork import Catalogue
from rules.rulebooks import load, shipped_ids

OWN = 'extends = "club"\nid = "own"\ntitle = "Our own"\nsummary = "As we play"\n'


def test_a_file_of_ones_own_is_there_as_long_as_it_can_be_used(tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    catalogue = Catalogue((str(file), "club"))
    shipped = set(shipped_ids())
    assert {choice.id for choice in catalogue.choices()} == shipped
    file.write_text(OWN, encoding="utf-8")
    assert ("own", "Our own") in [(choice.id, choice.title) for choice in catalogue.choices()]
    found = catalogue.find("own")
    assert found is not None
    assert (found[0], found[1].title) == (str(file), "Our own")
    file.write_text("title =", encoding="utf-8")
    assert {choice.id for choice in catalogue.choices()} == shipped
    assert catalogue.find("own") is None


def test_a_file_that_is_gone_after_it_was_read_once_ends_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "own.toml"
    file.write_text(OWN, encoding="utf-8")
    read = load._read

    def pulled(path: str) -> bytes:
        content = read(path)
        file.unlink()
        return content

    monkeypatch.setattr(load, "_read", pulled)
    assert "Our own" in [choice.title for choice in Catalogue((str(file),)).choices()]
