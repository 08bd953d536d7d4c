"""A language that no line of code knows: a copy of the English folder, with a name and two texts of its own."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from appliance import texts
from languages import FOLDER

CODE = "qq"
NAME = "Qqish"
CHANGED = {
    "language.toml": (('name = "English"', f'name = "{NAME}"'), ('keyboard = "qwerty"', 'keyboard = "qwertz"')),
    "clock.toml": (('ready = "READY"', 'ready = "QREADY"'),),
    "station.toml": (('challenger = "Which table, and who challenges?"', 'challenger = "Qchallenge?"'),),
    "sheets.toml": (('title = "The clock, for players"', 'title = "The qlock"'),),
}


@contextmanager
def another_language(folder: Path) -> Iterator[None]:
    """Let the programs find ``CODE`` among their languages, in a copy in ``folder``."""
    copied = shutil.copytree(FOLDER, folder / "languages")
    new = shutil.copytree(copied / "en", copied / CODE)
    for file, changes in CHANGED.items():
        text = (new / file).read_text("utf-8")
        for english, own in changes:
            assert english in text
            text = text.replace(english, own)
        (new / file).write_text(text, "utf-8")
    with found_in(copied):
        yield


@contextmanager
def found_in(folder: Path) -> Iterator[None]:
    """Let the programs find their languages in ``folder``."""
    caches = (texts.languages, texts.language_names, texts.load_part)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(texts, "FOLDER", folder)
        for each in caches:
            each.cache_clear()
        yield
    for each in caches:
        each.cache_clear()
