"""What a list may be called and how its edition is dated."""

from __future__ import annotations

import re

import pytest

from lexicon.errors import BadName
from lexicon.verify import check_names
from tests.cells import each_cell
from tests.errors import with_fields


def test_a_date_or_none_is_an_edition() -> None:
    for cell in each_cell(["", "2026", "2026-11", "2026-11-21", "2024-02-29", "0001"]):
        with cell as edition:
            check_names("Club list", edition)


def test_what_is_no_date_is_no_edition() -> None:
    for cell in each_cell(
        ["0000", "2026-00", "2026-13", "2026-02-30", "2025-02-29", "26", "2026-1", "hello", "2026-11-21 ", "٢٠٢٦", "20260101"]
    ):
        with cell as edition, pytest.raises(BadName, check=with_fields(expected=re.compile("an edition's date"))):
            check_names("Club list", edition)


@pytest.mark.parametrize("name", ["A", "Cercle d'Évreux", "x" * 100])
def test_what_can_be_shown_is_a_name(name: str) -> None:
    check_names(name, "")


def test_what_cannot_be_shown_or_told_apart_is_no_name() -> None:
    for cell in each_cell(["", " ", " Club", "Club ", "Club\nlist", "E\u0301vreux", "x" * 101, "\x1b[2J", "\udc80", "a\u202eb"]):
        with cell as name, pytest.raises(BadName, check=with_fields(expected=re.compile("a printable name of 1 to 100 bytes"))):
            check_names(name, "")
