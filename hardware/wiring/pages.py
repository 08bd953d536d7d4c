"""All generated files of the shipped boards, and a check for outdated ones."""

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
    """Return the bytes of every file by name."""
    made: dict[str, bytes] = {}
    for board in map(load_board, shipped_boards()):
        for suffix, pis in variants(board).items():
            made[f"{board.id}{suffix}.svg"] = picture(board, pis)
        made[f"{board.id}-strips.svg"] = strip_picture(board)
        made[f"{board.id}.md"] = pin_table(board).encode()
        made[f"{board.id}-bom.csv"] = parts_list(board).encode()
    return made


def out_of_date(made: Mapping[str, bytes], folder: Path) -> list[str]:
    """Return the names of files in ``folder`` that are missing, differ from ``made``, or belong to a removed board."""
    on_disk = {path.name: path.read_bytes() for path in folder.iterdir() if path.suffix in {".svg", ".md", ".csv"}}
    return sorted(name for name in made.keys() | on_disk.keys() if made.get(name) != on_disk.get(name))
