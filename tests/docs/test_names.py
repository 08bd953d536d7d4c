"""Files and modules that the pages name are there: whoever moves one learns which page speaks of it."""

import importlib.util
import re
from pathlib import Path
from typing import Final

import pytest

from tests.docs.pages import PAGES, ROOT, fences, name, spans

FOLDERS: Final = "appliance|docs|firmware|hardware|kiosk|lexicon|rules|systemd|tests|\\.ci"
FILE: Final = re.compile(rf"(?<![\w/.-])(?:{FOLDERS})/[\w./*-]*")
MODULE: Final = re.compile(r"\bpython3? -m ([a-z_.]+)")
HISTORY: Final = "CHANGELOG.md"


def _code(page: Path) -> str:
    text = page.read_text("utf-8")
    return "\n".join(code.text for code in (*spans(text), *fences(text)))


@pytest.mark.parametrize("page", [page for page in PAGES if page.name != HISTORY], ids=name)
def test_each_file_that_a_page_names_is_there(page: Path) -> None:
    named = {match.rstrip(".") for match in FILE.findall(_code(page))}
    assert [each for each in sorted(named) if not list(ROOT.glob(each.rstrip("/")))] == []


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_each_module_that_a_page_starts_is_there(page: Path) -> None:
    assert [module for module in MODULE.findall(_code(page)) if importlib.util.find_spec(module) is None] == []


def test_names_are_found() -> None:
    assert len(FILE.findall(_code(ROOT / "docs" / "architecture.md"))) > 50
