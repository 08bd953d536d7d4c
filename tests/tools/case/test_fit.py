"""What is bought fits in: OpenSCAD cuts every bought part with the printed ones and with one another, and nothing is left."""

from pathlib import Path
from typing import Any

import pytest

from tests.examples import THOROUGH
from tools.case.mesh import read_stl
from tools.case.render import render

# Each takes OpenSCAD seconds: a run takes those that have each case and Pi once, the others before a release.
FEW = [
    ("clock.scad", {"bar": "bar", "pi": "5"}),
    ("clock.scad", {"variant": "two-button", "panel": "touch-1", "pi": "3"}),
    ("two-display.scad", {"pi": "zero"}),
    ("station.scad", {"button": "arcade", "panel": "touch-1", "pi": "4"}),
]
OTHERS = [
    ("clock.scad", {}),
    ("clock.scad", {"pi": "zero"}),
    ("clock.scad", {"variant": "two-button", "pi": "zero"}),
    *(("two-display.scad", {"pi": pi}) for pi in ("3", "4", "5")),
    *(("station.scad", {"pi": pi}) for pi in ("3", "4", "5", "zero")),
    ("station.scad", {"button": "arcade", "panel": "touch-1", "pi": "5"}),
]


@pytest.mark.parametrize(("file", "parameters"), [*FEW, *(OTHERS if THOROUGH else ())], ids=str)
def test_screen_pi_buttons_and_plugs_take_no_room_that_anything_else_has(file: str, parameters: dict[str, Any], tmp_path: Path) -> None:
    done = render(file, tmp_path / "clash.stl", part="clash", fn=8, **parameters)
    assert done.complaints == ()
    assert done.empty, f"something meets something between {read_stl(done.path).low} and {read_stl(done.path).high} mm"


def test_the_cut_finds_a_button_that_is_too_deep_for_the_box(tmp_path: Path) -> None:
    done = render("two-display.scad", tmp_path / "clash.stl", part="clash", fn=8, small_depth=75)
    assert not done.empty
    low, high = read_stl(done.path).low, read_stl(done.path).high
    assert low[1] >= 62 - 10
    assert high[1] <= 62 + 10, "only the power button, where it stands"
