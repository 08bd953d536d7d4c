from __future__ import annotations

from hall.desk.web.words import counted


def test_one_of_a_kind_has_no_plural() -> None:
    assert [counted(number, "row") for number in (0, 1, 2)] == ["0 rows", "1 row", "2 rows"]
