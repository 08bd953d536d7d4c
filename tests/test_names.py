"""No name of a class or a type means two things: one that stands in two modules is the same thing in two programs, or in the lexicon, which stands alone."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
PACKAGES: Final = ("appliance", "firmware", "hall", "hardware", "kiosk", "lexicon", "rules", "wire")
TWINS: Final = {
    # What either program has of its own: its settings, its loop and screen, its file of record.
    *("BoardSettings", "HallSettings", "ScreenSettings", "Settings", "Layered", "Loop", "Screen", "Painter", "Coat", "Quit"),
    *("Event", "Input", "ScreenInput"),
    *("Kind", "Row", "Store"),
    # The challenge is taken back: an event of clock and station.
    "Withdraw",
    # The game's phases: an enum of the clock, their names on the wire.
    "Phase",
    # The lexicon imports nothing of ours.
    *("CommandFailed", "Guarded", "Replaced"),
}


def test_a_class_or_type_that_stands_twice_is_one_thing_in_two_programs() -> None:
    defined: dict[str, list[str]] = defaultdict(list)
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                name = _type_name(node)
                if name is not None and not name.startswith("_"):
                    defined[name].append(str(path.relative_to(ROOT)))
    twice = {name: places for name, places in defined.items() if len(places) > 1}
    assert {name: places for name, places in twice.items() if name not in TWINS} == {}
    assert TWINS - twice.keys() == set()
    # Within one program even a twin is one class.
    crowded = {name: places for name, places in twice.items() if len({place.split("/")[0] for place in places}) < len(places)}
    assert crowded == {}


def _type_name(node: ast.AST) -> str | None:
    """Return the name of the class or type alias that ``node`` defines; None: it defines neither."""
    if isinstance(node, ast.ClassDef):
        return node.name
    if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and ast.unparse(node.annotation) == "TypeAlias":
        return node.target.id
    return None
