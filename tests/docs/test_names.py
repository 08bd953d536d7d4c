"""Files and modules that the pages name are there: whoever moves one learns which page speaks of it."""

import importlib.util
import re
from pathlib import Path
from typing import Final

from tests.docs.pages import PAGES, ROOT, fences, name, spans

FOLDERS: Final = "appliance|docs|firmware|hall|hardware|kiosk|lexicon|rules|systemd|tests|wire|\\.ci"
FILE: Final = re.compile(rf"(?<![\w/.-])(?:{FOLDERS})/[\w./*-]*")
MODULE: Final = re.compile(r"\bpython3? -m ([a-z_.]+)")
HISTORY: Final = "CHANGELOG.md"


def _code(page: Path) -> str:
    text = page.read_text("utf-8")
    return "\n".join(code.text for code in (*spans(text), *fences(text)))


def test_each_file_that_a_page_names_is_there() -> None:
    named = {(name(page), match.rstrip(".")) for page in PAGES if page.name != HISTORY for match in FILE.findall(_code(page))}
    assert len(named) > 50
    assert [f"{page}: {file}" for page, file in sorted(named) if not list(ROOT.glob(file.rstrip("/")))] == []


def test_each_module_that_a_page_starts_is_there() -> None:
    started = {(name(page), module) for page in PAGES for module in MODULE.findall(_code(page))}
    assert started
    assert [f"{page}: {module}" for page, module in sorted(started) if importlib.util.find_spec(module) is None] == []
