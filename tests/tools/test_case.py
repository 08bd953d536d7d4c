import re
from itertools import combinations
from math import cos, hypot, pi, sin
from pathlib import Path
from typing import Any

import pytest

from tests.errors import with_fields
from tests.examples import THOROUGH
from tests.installed import require
from tools.case.mesh import Mesh, Point, Triangle, read_stl
from tools.case.render import BED, FOLDER, CaseError, CasePrint, main, make, prints, render

A, B, C, D = (0.0, 0.0, 0.0), (3.0, 0.0, 0.0), (0.0, 4.0, 0.0), (0.0, 0.0, 5.0)
TETRAHEDRON = ((A, C, B), (A, B, D), (B, C, D), (C, A, D))


def box(low: Point, high: Point) -> list[Triangle]:
    x, y, z = zip(low, high, strict=True)
    corner = [(x[i & 1], y[i >> 1 & 1], z[i >> 2 & 1]) for i in range(8)]
    faces = [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)]
    return [(corner[a], corner[b], corner[c]) for p, q, r, s in faces for a, b, c in ((p, q, r), (p, r, s))]


def test_a_surface_is_closed_encloses_its_volume_and_only_a_wide_shelf_hangs() -> None:
    mesh = Mesh(TETRAHEDRON)
    assert mesh.open_edges() == 0
    assert mesh.volume() == pytest.approx(10)
    assert list(mesh.size) == [3, 4, 5]
    assert Mesh((TETRAHEDRON[0][::-1], *TETRAHEDRON[1:])).open_edges() > 0
    assert Mesh((TETRAHEDRON[0], *TETRAHEDRON)).open_edges() > 0
    assert {Mesh(TETRAHEDRON[:missing] + TETRAHEDRON[missing + 1 :]).open_edges() for missing in range(4)} == {3}
    mesh = Mesh(tuple(box((0, 0, 0), (10, 10, 5))))
    assert mesh.crossings(3, 4) == 2
    assert mesh.crossings(11, 4) == 0
    shelf = Mesh(tuple(box((0, 0, 0), (5, 5, 20)) + box((5, 0, 15), (60, 40, 20))))
    bridge = Mesh(tuple(box((0, 0, 0), (5, 5, 20)) + box((5, 0, 15), (60, 20, 20))))
    assert shelf.hanging() == [(55, 40)]
    assert bridge.hanging() == []


def test_an_stl_file_is_read_point_by_point_and_without_openscad_the_message_names_the_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = ["solid piece"]
    for triangle in TETRAHEDRON:
        lines += ["facet normal 0 0 0", "outer loop", *(f"vertex {x} {y} {z}" for x, y, z in triangle), "endloop", "endfacet"]
    (tmp_path / "piece.stl").write_text("\n".join([*lines, "endsolid piece"]))
    assert read_stl(tmp_path / "piece.stl") == Mesh(TETRAHEDRON)
    # Without openscad the message names the package.
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(CaseError, check=with_fields(remedy="Install it: sudo apt-get install openscad")):
        render("clock.scad", tmp_path / "piece.stl", part="clamp")


CASES = {"full", "two-button", "two-display", "station"}
COARSE = 8  # a circle of 8 sides is drawn in a third of the time, and stands where the round one stands


@pytest.fixture(autouse=True)
def _openscad() -> None:
    require("openscad")


# Each takes OpenSCAD up to a second: a run takes one of each file, and all before a release.
OFTEN = {"clock-end-tub", "two-display-lid", "station-front"}


@pytest.mark.parametrize("one", [one for one in prints() if THOROUGH or one.name in OFTEN], ids=lambda one: one.name)
def test_every_piece_is_drawn_without_a_warning_is_watertight_and_fits_an_ordinary_bed_lying_flat(one: CasePrint, tmp_path: Path) -> None:
    done = render(one.file, tmp_path / "piece.stl", part=one.part, fn=COARSE, **one.parameters)
    mesh = read_stl(done.path)
    assert done.complaints == ()
    assert mesh.open_edges() == 0
    assert mesh.volume() > 100
    assert all(side <= most for side, most in zip(mesh.size, BED, strict=True)), mesh.size
    bed = mesh.low[2]
    on_the_bed = [triangle for triangle in mesh.triangles if all(abs(z - bed) < 0.01 for _x, _y, z in triangle)]
    assert on_the_bed, "it does not lie on a face"
    assert mesh.hanging() == [], "something hangs in the air: it would need supports"


def test_every_case_has_pieces_every_part_is_named_in_the_list_and_the_bed_is_that_of_the_files(tmp_path: Path) -> None:
    assert {case for one in prints() for case in one.copies} == CASES
    assert {one.file for one in prints()} == {"clock.scad", "two-display.scad", "station.scad"}
    for file in ("clock.scad", "two-display.scad", "station.scad"):
        parts = {line.split('"')[1] for line in (FOLDER / file).read_text().splitlines() if 'if (part == "' in line}
        assert parts - {"clash", "assembly"} == {one.part for one in prints() if one.file == file}
    numbers = dict(
        line.split(";")[0].split(" = ")
        for line in (FOLDER / "numbers.scad").read_text().splitlines()
        if line.startswith(("bed ", "bed_edge "))
    )
    bed, edge = float(numbers["bed"]), float(numbers["bed_edge"])
    assert (bed - 2 * edge, bed - 2 * edge, bed) == BED


@pytest.mark.parametrize(
    ("file", "parameters", "sentence"),
    [
        ("clock.scad", {"panel": "touch-1"}, "take a smaller panel, or the two-button variant"),
        ("clock.scad", {"bar": "lever"}, 'bar is "button" or "bar"'),
        ("station.scad", {"lean": 45}, "lean is between 50 and 80 degrees"),
        ("station.scad", {"panel": "touch-2"}, 'panel is "hdmi" or "touch-1"'),
        ("two-display.scad", {"led_lean": 40}, "A ridge flatter than 45 degrees needs supports"),
        ("clock.scad", {"part": "spoon"}, "No part of the clock is called spoon"),
    ],
)
def test_numbers_that_cannot_be_printed_are_refused_in_a_sentence(
    file: str, parameters: dict[str, object], sentence: str, tmp_path: Path
) -> None:
    wanted = {"part": "clamp" if file == "clock.scad" else "roof" if file == "station.scad" else "lid"} | parameters
    with pytest.raises(CaseError) as refused:
        render(file, tmp_path / "piece.stl", **wanted)
    assert sentence in str(refused.value)
    assert "Traceback" not in str(refused.value)


def test_a_piece_with_a_warning_or_larger_than_the_bed_stops_the_making(tmp_path: Path) -> None:
    done = render("clock.scad", tmp_path / "piece.stl", part="clamp", tact_tall="thick")
    assert any("WARNING" in line for line in done.complaints)
    with pytest.raises(CaseError, check=with_fields(found=re.compile("WARNING"))):
        make(CasePrint("clamp", "clock.scad", "clamp", {"tact_tall": "thick"}, {"full": 4}), tmp_path)
    with pytest.raises(CaseError, check=with_fields(expected=re.compile("fits the bed's 212 x 212 x 220 mm"), found="19 x 240 x 10 mm")):
        make(CasePrint("bar", "clock.scad", "bar-cap", {"bar_flange": [19, 240], "fn": COARSE}, {"full": 1}), tmp_path)


def test_make_case_writes_one_file_a_piece_and_refuses_a_case_that_there_is_not(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main([str(tmp_path), "chess"]) == 2
    assert capsys.readouterr().err == "Unknown case chess: choose full, station, two-button, two-display\n"
    assert main([]) == 2
    small = [one for one in prints() if one.name in {"clamp", "dowel"}]
    monkeypatch.setattr("tools.case.render.prints", lambda: small)
    assert main([str(tmp_path / "case")]) == 0
    assert sorted(path.name for path in (tmp_path / "case").iterdir()) == ["clamp.stl", "dowel.stl"]
    assert "23 x 9 x 4 mm" in capsys.readouterr().out


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


@pytest.mark.parametrize(("file", "parameters", "part"), PLATES if THOROUGH else PLATES[3:6:2])
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


# Each takes OpenSCAD seconds: a run takes one, beside the case with two displays below, and the others before a release.
ONE = ("clock.scad", {"variant": "two-button", "panel": "touch-1", "pi": "3"})
OTHERS = [
    ("clock.scad", {}),
    ("clock.scad", {"bar": "bar", "pi": "5"}),
    ("clock.scad", {"pi": "zero"}),
    ("clock.scad", {"variant": "two-button", "pi": "zero"}),
    *(("two-display.scad", {"pi": pi}) for pi in ("3", "4", "5", "zero")),
    *(("station.scad", {"pi": pi}) for pi in ("3", "4", "5", "zero")),
    *(("station.scad", {"button": "arcade", "panel": "touch-1", "pi": pi}) for pi in ("4", "5")),
]


@pytest.mark.parametrize(("file", "parameters"), [ONE, *(OTHERS if THOROUGH else ())], ids=str)
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
