import re
from pathlib import Path

import pytest

from tests.errors import with_fields
from tests.installed import require
from tools.case.mesh import read_stl
from tools.case.render import BED, FOLDER, CaseError, CasePrint, main, make, prints, render

CASES = {"full", "two-button", "two-display", "station"}
COARSE = 8  # a circle of 8 sides is drawn in a third of the time, and stands where the round one stands


@pytest.fixture(autouse=True)
def _openscad() -> None:
    require("openscad")


@pytest.mark.parametrize("one", prints(), ids=lambda one: one.name)
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


def test_every_case_and_only_those_has_pieces_and_every_file_and_part_is_named_in_the_list() -> None:
    assert {case for one in prints() for case in one.copies} == CASES
    assert {one.file for one in prints()} == {"clock.scad", "two-display.scad", "station.scad"}
    for file in ("clock.scad", "two-display.scad", "station.scad"):
        parts = {line.split('"')[1] for line in (FOLDER / file).read_text().splitlines() if 'if (part == "' in line}
        assert parts - {"clash", "assembly"} == {one.part for one in prints() if one.file == file}


def test_the_scad_files_and_the_check_speak_of_the_same_bed(tmp_path: Path) -> None:
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


def test_a_warning_of_openscads_is_told_and_stops_the_making(tmp_path: Path) -> None:
    done = render("clock.scad", tmp_path / "piece.stl", part="clamp", tact_tall="thick")
    assert any("WARNING" in line for line in done.complaints)
    with pytest.raises(CaseError, check=with_fields(found=re.compile("WARNING"))):
        make(CasePrint("clamp", "clock.scad", "clamp", {"tact_tall": "thick"}, {"full": 4}), tmp_path)


def test_a_piece_larger_than_the_bed_stops_the_making_and_names_both_sizes(tmp_path: Path) -> None:
    with pytest.raises(CaseError, check=with_fields(expected=re.compile("fits the bed's 212 x 212 x 220 mm"), found="19 x 240 x 10 mm")):
        make(CasePrint("bar", "clock.scad", "bar-cap", {"bar_flange": [19, 240], "fn": COARSE}, {"full": 1}), tmp_path)


def test_without_openscad_the_message_names_the_package(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(CaseError, check=with_fields(remedy="Install it: sudo apt-get install openscad")):
        render("clock.scad", tmp_path / "piece.stl", part="clamp")


def test_make_case_writes_one_file_a_piece_and_a_line_about_each(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    small = [one for one in prints() if one.name in {"clamp", "dowel"}]
    monkeypatch.setattr("tools.case.render.prints", lambda: small)
    assert main([str(tmp_path / "case")]) == 0
    assert sorted(path.name for path in (tmp_path / "case").iterdir()) == ["clamp.stl", "dowel.stl"]
    assert "23 x 9 x 4 mm" in capsys.readouterr().out


def test_make_case_refuses_a_case_that_there_is_not_and_names_those_there_are(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path), "chess"]) == 2
    assert capsys.readouterr().err == "Unknown case chess: choose full, station, two-button, two-display\n"
    assert main([]) == 2
