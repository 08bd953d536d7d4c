"""The build guide speaks of the boards as they are now: every board, its pictures and lists, its price."""

import csv
import re
from pathlib import Path

import pytest

import hardware
from hardware.boards.board import shipped_boards

HARDWARE = Path(hardware.__file__).parent
DOCS = HARDWARE.parent / "docs"
GUIDE = (DOCS / "building.md").read_text("utf-8")


@pytest.mark.parametrize("board", shipped_boards())
def test_the_guide_names_what_the_parts_of_each_board_cost_all_together(board: str) -> None:
    with (HARDWARE.parent / "tools" / "wiring" / f"{board}-bom.csv").open(encoding="utf-8", newline="") as file:
        *_, last = csv.reader(file)
    assert f"{last[5]} to {last[6]} EUR, [list](../tools/wiring/{board}-bom.csv)" in GUIDE


def test_every_file_that_the_guide_leads_to_is_there() -> None:
    links = re.findall(r"\]\(([^)#]+)\)", GUIDE)
    assert len(links) > len(shipped_boards()) * 3
    assert [link for link in links if not (DOCS / link).exists()] == []


@pytest.mark.parametrize("board", shipped_boards())
def test_the_guide_shows_the_strip_board_of_each_board(board: str) -> None:
    assert f"[{board}](../tools/wiring/{board}-strips.svg)" in GUIDE
