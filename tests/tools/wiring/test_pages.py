"""The generated files are those that the boards give now, and the pictures can be read."""

from __future__ import annotations

import csv
import subprocess
import sys
from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from hardware.boards.board import load_board, shipped_boards
from hardware.boards.hookup import hookups
from tools.wiring.__main__ import HERE, main
from tools.wiring.pages import out_of_date, pages
from tools.wiring.placing import variants

SVG = "{http://www.w3.org/2000/svg}"
PICTURES = sorted(path.name for path in HERE.glob("*.svg"))  # a test below: those that the boards give


def _texts(name: str) -> list[tuple[str, float, float, float, float]]:
    """Return the words of a picture, each with the box it takes: left, top, right, bottom, a letter taken for 0.62 of its size wide."""
    found = []
    for element in ET.fromstring((HERE / name).read_bytes()).iter(f"{SVG}text"):  # noqa: S314 - our own file
        words, size = "".join(element.itertext()), float(element.attrib["font-size"])
        span = element.find(f"{SVG}tspan")
        assert span is not None
        x, foot, wide = float(span.attrib["x"]), float(element.attrib["y"]) + size, 0.62 * size * len(words)
        left = {"start": x, "middle": x - wide / 2, "end": x - wide}[element.attrib["text-anchor"]]
        found.append((words, left, foot - 0.75 * size, left + wide, foot + 0.2 * size))
    return found


def test_what_is_kept_is_what_the_boards_give_now() -> None:
    assert out_of_date(pages(), HERE) == [], "run `make wiring` and keep what it writes"


def test_the_same_board_gives_the_same_bytes_in_another_process() -> None:
    script = "import sys; from tools.wiring.pages import pages; sys.stdout.buffer.write(b''.join(v for _, v in sorted(pages().items())))"
    other = subprocess.run(
        [sys.executable, "-c", script], check=True, capture_output=True, env={"PYTHONHASHSEED": "7"}, cwd=HERE.parents[1]
    )
    assert other.stdout == b"".join(made for _, made in sorted(pages().items()))


def test_a_changed_a_missing_and_a_left_over_file_are_each_out_of_date(tmp_path: Path) -> None:
    made = {"a.svg": b"1", "b.md": b"2", "c-bom.csv": b"3"}
    (tmp_path / "a.svg").write_bytes(b"1")
    (tmp_path / "b.md").write_bytes(b"old")
    (tmp_path / "gone.svg").write_bytes(b"4")
    (tmp_path / "code.py").write_bytes(b"")
    assert out_of_date(made, tmp_path) == ["b.md", "c-bom.csv", "gone.svg"]


def test_the_command_writes_what_is_out_of_date_and_only_tells_of_it_when_asked_to_check(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("tools.wiring.__main__.HERE", tmp_path)
    (tmp_path / "gone.svg").write_bytes(b"")
    assert main(["--check"]) == 1
    assert "full.svg" in capsys.readouterr().out
    assert [path.name for path in tmp_path.iterdir()] == ["gone.svg"]
    assert main([]) == 0
    assert main(["--check"]) == 0
    assert {path.name for path in tmp_path.iterdir()} == set(pages())


def test_without_the_library_that_draws_it_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setitem(sys.modules, "tools.wiring.pages", None)
    assert main([]) == 2
    said = capsys.readouterr().err
    assert said.startswith("expected schemdraw, which draws the pictures, found: ")
    assert said.endswith("install it with: pip install -e '.[dev]'\n")


@pytest.mark.parametrize("name", PICTURES)
def test_no_words_of_a_picture_stand_on_others_or_beyond_its_edge(name: str) -> None:
    texts = _texts(name)
    left, top, wide, high = (float(number) for number in ET.fromstring((HERE / name).read_bytes()).attrib["viewBox"].split())  # noqa: S314 - our own file
    for words, *box in texts:
        assert left <= box[0], words
        assert box[2] <= left + wide, words
        assert top <= box[1], words
        assert box[3] <= top + high, words
    for (words, *one), (others, *other) in combinations(texts, 2):
        apart = one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]
        assert apart, (words, others)


@pytest.mark.parametrize("name", shipped_boards())
def test_a_picture_names_every_hole_and_everything_that_hangs_on_the_header(name: str) -> None:
    for suffix, pis in variants(load_board(name)).items():
        words = [text[0] for text in _texts(f"{name}{suffix}.svg")]
        assert {str(hole) for hole in range(1, 41)} <= set(words)
        for each in hookups(load_board(name), pis[0]):
            assert f"pin {each.hole} (GPIO {each.gpio}), ground on pin {each.ground}" in words


def test_one_picture_serves_every_pi_but_where_displays_need_an_adaptor() -> None:
    served = {name: {suffix: [pi.id for pi in pis] for suffix, pis in variants(load_board(name)).items()} for name in shipped_boards()}
    assert served.pop("two-display") == {"": ["4", "5"], "-usb": ["3", "zero-2-w"]}
    assert set(map(str, served.values())) == {str({"": ["3", "4", "5", "zero-2-w"]})}


@pytest.mark.parametrize("name", shipped_boards())
def test_the_pin_table_has_a_line_for_every_wire_and_a_column_for_every_pi(name: str) -> None:
    page = (HERE / f"{name}.md").read_text(encoding="utf-8")
    for each in hookups(load_board(name)):
        assert f"| {each.hole} | {each.gpio} | {each.title} | {each.ground} | {each.colour}" in page
    assert "|  | Raspberry Pi 3 (B, B+, A+) | Raspberry Pi 4 (B, 400) | Raspberry Pi 5 | Raspberry Pi Zero 2 W |" in page
    assert "`pinctrl-rp1`" in page


@pytest.mark.parametrize("name", shipped_boards())
def test_the_parts_list_has_every_part_that_the_board_names_in_its_number(name: str) -> None:
    with (HERE / f"{name}-bom.csv").open(encoding="utf-8", newline="") as file:
        *rows, together = list(csv.DictReader(file))
    there = hookups(load_board(name))
    by_name = {row["part"]: row for row in rows if not row["value"]}
    for each in there:
        assert each.part is not None
        assert by_name[each.part.name]["quantity"] == str(sum(other.spec.part == each.spec.part for other in there))
    resistors = sum(int(row["quantity"]) for row in rows if row["part"] == "Resistor")
    assert resistors == sum(bool(each.spec.resistor) for each in there)
    assert all(row["order terms"] for row in rows)
    low, high = (sum(float(row["quantity"]) * float(row[f"EUR each {end}"]) for row in rows) for end in ("from", "to"))
    assert (together["EUR each from"], together["EUR each to"]) == (f"{low:.0f}", f"{high:.0f}")


def test_the_two_display_board_lists_an_adaptor_for_the_pis_that_need_one() -> None:
    assert "right display on a Raspberry Pi 3 (B, B+, A+) or Raspberry Pi Zero 2 W only" in pages()["two-display-bom.csv"].decode()
