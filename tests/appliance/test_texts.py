"""Texts from a package's folder; the sentences of a faulty file are tested with the clock's own."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from appliance.errors import TextsError
from appliance.texts import load_from
from tests.errors import with_fields


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package that ships two languages, one of them short of a key, and a file that is no language."""
    folder = tmp_path / "said_here"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    (folder / "en.toml").write_text('[door]\nopen = "{who} opens it"\nshut = "it is shut"\n')
    (folder / "fr.toml").write_text('[door]\nopen = "{who} ouvre"\nshut = "fermée"\n')
    (folder / "de.toml").write_text('[door]\nopen = "{who} macht auf"\n')
    (folder / "lists.toml").write_text("numbers = [1]\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "said_here", raising=False)
    load_from.cache_clear()
    return folder


@pytest.mark.usefixtures("package")
def test_a_text_is_looked_up_by_its_key_and_filled_in() -> None:
    others = frozenset({"lists.toml"})
    assert load_from("said_here", "en", others).say("door.open", who="Ann") == "Ann opens it"
    assert load_from("said_here", "fr", others).say("door.open", who="Ann") == "Ann ouvre"


@pytest.mark.usefixtures("package")
def test_a_language_that_says_less_than_the_english_one_is_refused() -> None:
    with pytest.raises(TextsError, check=with_fields(where="texts/de.toml: door.shut", found="none")):
        load_from("said_here", "de")


@pytest.mark.usefixtures("package")
def test_an_unknown_language_is_refused_with_those_there_are_and_no_other_file() -> None:
    with pytest.raises(TextsError, check=with_fields(expected=re.compile("de, en, fr"), found="'lists'")):
        load_from("said_here", "lists", frozenset({"lists.toml"}))
