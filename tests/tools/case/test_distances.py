"""Holes in a plate keep their distance: as the files say, and as the printed triangles show."""

from itertools import combinations
from math import cos, hypot, pi, sin
from pathlib import Path
from typing import Any

import pytest

from tools.case.mesh import read_stl
from tools.case.render import render

Hole = tuple[str, float, float, Any, Any]
BETWEEN = 1.0  # mm of plate that stays between what covers two holes outside: nuts and flanges do not ride on one another
PLATES = [
    ("clock.scad", {}, "middle-lid"),
    ("clock.scad", {"bar": "bar"}, "middle-lid"),
    ("clock.scad", {"variant": "two-button", "panel": "touch-1"}, "middle-lid"),
    ("clock.scad", {"variant": "two-button", "panel": "touch-1"}, "end-lid"),
    ("clock.scad", {}, "end-lid"),
    ("two-display.scad", {}, "lid"),
    ("station.scad", {}, "front"),
    ("station.scad", {"panel": "touch-1"}, "front"),
    ("station.scad", {"button": "arcade"}, "deck"),
]


def half(extent: Any) -> tuple[float, float]:
    return (extent[0] / 2, extent[1] / 2) if isinstance(extent, list) else (extent / 2, extent / 2)


def gap(a: Hole, b: Hole) -> float:
    """Return the mm between what covers two holes; two round ones are measured along the line between them."""
    if not isinstance(a[4], list) and not isinstance(b[4], list):
        return hypot(a[1] - b[1], a[2] - b[2]) - half(a[4])[0] - half(b[4])[0]
    (ax, ay), (bx, by) = half(a[4]), half(b[4])
    return max(abs(a[1] - b[1]) - ax - bx, abs(a[2] - b[2]) - ay - by)


@pytest.mark.parametrize(("file", "parameters", "part"), PLATES)
def test_no_hole_meets_another_and_each_lies_inside_its_plate(file: str, parameters: dict[str, Any], part: str, tmp_path: Path) -> None:
    done = render(
        file,
        tmp_path / "piece.csg",  # evaluated, not drawn
        part="roof" if file == "station.scad" else "lid" if file == "two-display.scad" else "clamp",
        fn=8,
        **parameters,
    )
    plates = done.echoes["plates"]
    assert part in {plate for plate, _size, _holes in plates}
    for plate, size, holes in plates:
        for a, b in combinations(holes, 2):
            least = 0.0 if {a[0], b[0]} == {"window", "screw"} else BETWEEN - 0.51
            assert gap(a, b) >= least, f"{plate}: {a[0]} at {a[1:3]} and {b[0]} at {b[1:3]}"
        for name, x, y, _hole, cover in holes:
            wide, high = half(cover)
            assert abs(x) + wide <= size[0] / 2 - 0.5, f"{plate}: {name} runs over the edge"
            assert abs(y) + high <= size[1] / 2 - 0.5, f"{plate}: {name} runs over the edge"


@pytest.mark.parametrize(("file", "parameters", "part"), PLATES)
def test_the_printed_triangles_leave_every_hole_open_and_close_it_at_its_rim(
    file: str, parameters: dict[str, Any], part: str, tmp_path: Path
) -> None:
    done = render(file, tmp_path / "piece.stl", part=part, fn=16, **parameters)
    mesh = read_stl(done.path)
    upright = 1 if file == "two-display.scad" else -1  # the others lie on their face: y is mirrored
    [(_size, holes)] = [(size, holes) for plate, size, holes in done.echoes["plates"] if plate == part]
    for name, x, y, hole, _cover in holes:
        wide, high = half(hole)
        if (file, name) == ("two-display.scad", "window"):
            continue  # the ridge stands over it
        for turn in (0.13 + pi / 4 * step for step in range(8)):
            inside, outside = (
                (x + cos(turn) * wide * far, upright * (y + sin(turn) * high * far)) if not isinstance(hole, list) else
                (x + (wide + far) * (1 if cos(turn) > 0 else -1) * abs(cos(turn)) ** 0.01, upright * (y + (high + far) * sin(turn) * 0.9))
                for far in ((0.9, 1.12) if not isinstance(hole, list) else (-0.6, 4.2))
            )  # fmt: skip # the round and the square way beside one another
            assert mesh.crossings(*inside) == 0, f"{name} is not open at {inside}"
            assert mesh.crossings(*outside) >= 2, f"{name} is larger than it says at {outside}"
