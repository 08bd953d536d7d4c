"""All files that are made from the shipped boards, and which of those on the disk are not as they would be made now."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from hardware.boards.board import load_board, shipped_boards
from hardware.wiring.bom import parts_list
from hardware.wiring.picture import picture
from hardware.wiring.strip_picture import strip_picture
from hardware.wiring.table import pin_table
from hardware.wiring.variants import variants


def pages() -> Mapping[str, bytes]:
    """Return the bytes of every file by its name."""
    made: dict[str, bytes] = {}
    for board in map(load_board, shipped_boards()):
        for suffix, pis in variants(board).items():
            made[f"{board.id}{suffix}.svg"] = picture(board, pis)
        made[f"{board.id}-strips.svg"] = strip_picture(board)
        made[f"{board.id}.md"] = pin_table(board).encode()
        made[f"{board.id}-bom.csv"] = parts_list(board).encode()
    return made


def out_of_date(made: Mapping[str, bytes], folder: Path) -> list[str]:
    """Return the names of the files in that folder that lack, differ from what was made, or are left from a board that is no more."""
    kept = {path.name: path.read_bytes() for path in folder.iterdir() if path.suffix in {".svg", ".md", ".csv"}}
    return sorted(name for name in made.keys() | kept.keys() if made.get(name) != kept.get(name))
