"""``tilehall demo`` and ``simulate`` where only the package is installed: they name what they need."""

from __future__ import annotations

import sys

import pytest
from click.testing import CliRunner

from hall.cli.main import main
from tests.errors import recorded, refused


@pytest.mark.parametrize("words", [("demo", "--headless"), ("simulate", "--tables", "2")])
def test_without_a_checkout_they_say_that_they_need_one(words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [each for each in sys.modules if each == "tools" or each.startswith("tools.")]:
        monkeypatch.delitem(sys.modules, name)
    # None blocks the import (The Python Language Reference, 5.3.1): the package has no tools.
    monkeypatch.setitem(sys.modules, "tools", None)
    with recorded():
        done = CliRunner().invoke(main, words)
    refused(done, expected="a checkout of Tileclock", found="an installed package")
