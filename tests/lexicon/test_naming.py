"""What a list may be called and how its edition is dated."""

from __future__ import annotations

import pytest

from lexicon.errors import BadName
from lexicon.naming import check_names


@pytest.mark.parametrize("edition", ["", "2026", "2026-11", "2026-11-21", "2024-02-29", "0001"])
def test_a_date_or_none_is_an_edition(edition: str) -> None:
    check_names("Club list", edition)


@pytest.mark.parametrize(
    "edition", ["0000", "2026-00", "2026-13", "2026-02-30", "2025-02-29", "26", "2026-1", "hello", "2026-11-21 ", "٢٠٢٦", "20260101"]
)
def test_what_is_no_date_is_no_edition(edition: str) -> None:
    with pytest.raises(BadName, match="an edition's date"):
        check_names("Club list", edition)


@pytest.mark.parametrize("name", ["A", "Cercle d'Évreux", "x" * 100])
def test_what_can_be_shown_is_a_name(name: str) -> None:
    check_names(name, "")


@pytest.mark.parametrize("name", ["", " ", " Club", "Club ", "Club\nlist", "E\u0301vreux", "x" * 101, "\x1b[2J", "\udc80", "a\u202eb"])
def test_what_cannot_be_shown_or_told_apart_is_no_name(name: str) -> None:
    with pytest.raises(BadName, match="a printable name of 1 to 100 bytes"):
        check_names(name, "")
