"""No class name means two things: one that stands in two modules is the same thing in two programs, or in the lexicon, which stands alone."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
PACKAGES: Final = ("appliance", "firmware", "hall", "hardware", "kiosk", "lexicon", "rules", "wire")
TWINS: Final = {
    # What either program has of its own: its settings, its loop and screen, its file of record.
    *("BoardSettings", "HallSettings", "ScreenSettings", "Settings", "Loop", "Screen", "Painter", "Coat", "Quit"),
    *("Kind", "Row", "Store"),
    # The challenge is taken back: an event of clock and station.
    "Withdraw",
    # The lexicon imports nothing of ours.
    *("CommandFailed", "Guarded", "Replaced"),
}


def test_a_class_name_that_stands_twice_is_one_thing_in_two_programs() -> None:
    defined: dict[str, list[str]] = defaultdict(list)
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    defined[node.name].append(str(path.relative_to(ROOT)))
    twice = {name: places for name, places in defined.items() if len(places) > 1}
    assert {name: places for name, places in twice.items() if name not in TWINS} == {}
    assert TWINS - twice.keys() == set()
    # Within one program even a twin is one class.
    crowded = {name: places for name, places in twice.items() if len({place.split("/")[0] for place in places}) < len(places)}
    assert crowded == {}
