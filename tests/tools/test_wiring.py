import csv
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import combinations, pairwise
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

import hardware
from hardware.boards.board import Board, DisplaySpec, PinSpec, load_board, shipped_boards
from hardware.boards.hookup import COLOURS, Hookup, How, hookups
from hardware.boards.parts import GROUNDS, HEADER, ohms, on_hole
from tests.errors import with_fields
from tests.some import some
from tools.wiring.__main__ import HERE, main
from tools.wiring.pages import out_of_date, pages
from tools.wiring.placing import Place, bottom, placed, variants
from tools.wiring.strip_picture import FIRST, HOLES, ODD, STRIPS, Component, Hole, StripError, StripLayout, layout, place

SVG = "{http://www.w3.org/2000/svg}"
PICTURES = sorted(path.name for path in HERE.glob("*.svg"))  # a test below: those that the boards give


def _texts(name: str) -> list[tuple[str, float, float, float, float]]:
    """Return the words of a picture, each with the box it takes: left, top, right, bottom, a letter taken for 0.62 of its size wide."""
    found = []
    for element in ET.fromstring((HERE / name).read_bytes()).iter(f"{SVG}text"):  # noqa: S314 - our own file
        words, size = "".join(element.itertext()), float(element.attrib["font-size"])
        span = some(element.find(f"{SVG}tspan"))
        x, foot, wide = float(span.attrib["x"]), float(element.attrib["y"]) + size, 0.62 * size * len(words)
        left = {"start": x, "middle": x - wide / 2, "end": x - wide}[element.attrib["text-anchor"]]
        box = (left, foot - 0.75 * size, left + wide, foot + 0.2 * size)
        if "transform" in element.attrib:  # upright, around its middle
            middle = foot - 0.36 * size
            box = (x - 0.5 * size, middle - wide / 2, x + 0.5 * size, middle + wide / 2)
        found.append((words, *box))
    return found


made_pages = cache(pages)


def test_what_is_kept_is_what_the_boards_give_now_in_any_process() -> None:
    assert out_of_date(made_pages(), HERE) == [], "run `make wiring` and keep what it writes"
    # The same board gives the same bytes in another process.
    script = "import sys; from tools.wiring.pages import pages; sys.stdout.buffer.write(b''.join(v for _, v in sorted(pages().items())))"
    other = subprocess.run(
        [sys.executable, "-c", script], check=True, capture_output=True, env={"PYTHONHASHSEED": "7"}, cwd=HERE.parents[1]
    )
    assert other.stdout == b"".join(made for _, made in sorted(made_pages().items()))


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
    monkeypatch.setattr("tools.wiring.pages.pages", made_pages)
    (tmp_path / "gone.svg").write_bytes(b"")
    assert main(["--check"]) == 1
    assert "full.svg" in capsys.readouterr().out
    assert [path.name for path in tmp_path.iterdir()] == ["gone.svg"]
    assert main([]) == 0
    assert main(["--check"]) == 0
    assert {path.name for path in tmp_path.iterdir()} == set(made_pages())


def test_without_the_library_that_draws_it_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setitem(sys.modules, "tools.wiring.pages", None)
    assert main([]) == 2
    said = capsys.readouterr().err
    assert said.startswith("expected schemdraw, which draws the pictures, found: ")
    assert said.endswith("install it with: make setup-test\n")


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


def test_one_picture_serves_every_pi_but_where_displays_need_an_adaptor() -> None:
    served = {name: {suffix: [pi.id for pi in pis] for suffix, pis in variants(load_board(name)).items()} for name in shipped_boards()}
    assert served.pop("two-display") == {"": ["4", "5"], "-usb": ["3", "zero-2-w"]}
    assert set(map(str, served.values())) == {str({"": ["3", "4", "5", "zero-2-w"]})}
    assert "right display on a Raspberry Pi 3 (B, B+, A+) or Raspberry Pi Zero 2 W only" in made_pages()["two-display-bom.csv"].decode()


HARDWARE = Path(hardware.__file__).parent
DOCS = HARDWARE.parent / "docs"
GUIDES = sorted(DOCS.rglob("building.md"))


@pytest.mark.parametrize("board", shipped_boards())
def test_the_guide_names_what_the_parts_of_each_board_cost_and_shows_its_strips(board: str) -> None:
    with (HARDWARE.parent / "tools" / "wiring" / f"{board}-bom.csv").open(encoding="utf-8", newline="") as file:
        *_, last = csv.reader(file)
    for guide in GUIDES:
        text = guide.read_text("utf-8")
        assert re.search(rf"{last[5]} \w+ {last[6]} EUR, \[\w+\]\((?:\.\./)+tools/wiring/{board}-bom\.csv\)", text), guide
        assert re.search(rf"\[{board}\]\((?:\.\./)+tools/wiring/{board}-strips\.svg\)", text), guide


Line = tuple[tuple[float, float], tuple[float, float]]


def _hookup(gpio: int, how: How, capacitor: int, pull_up: int) -> Hookup:
    if how in ("serial", "bus"):
        return Hookup("displays.left", gpio, COLOURS[0], DisplaySpec("/dev/ttyUSB0", gpio), how)
    return Hookup("buttons.left", gpio, COLOURS[0], PinSpec(gpio, "", capacitor=capacitor, pull_up=pull_up), how)


hows: st.SearchStrategy[How] = st.sampled_from(["contact", "led", "fed", "driven", "serial", "bus"])
headers = st.lists(
    st.builds(_hookup, st.sampled_from(sorted(HEADER)), hows, st.sampled_from([0, 10]), st.sampled_from([0, 10_000])),
    unique_by=lambda each: each.gpio,
    max_size=26,
)


def _lines(place: Place) -> list[Line]:
    corners = [(place.hand * 2.3, place.row), (place.lane, place.row), (place.lane, place.y), (place.start, place.y)]
    return list(pairwise(corners))


def _meet(one: Line, other: Line) -> bool:
    return all(
        max(min(one[0][axis], one[1][axis]), min(other[0][axis], other[1][axis]))
        <= min(max(one[0][axis], one[1][axis]), max(other[0][axis], other[1][axis]))
        for axis in (0, 1)
    )


@given(headers)
def test_no_wire_meets_another_whatever_hangs_on_the_header(there: Sequence[Hookup]) -> None:
    for one, other in combinations(placed(there), 2):
        assert not any(_meet(line, crossing) for line in _lines(one) for crossing in _lines(other))


@given(headers)
def test_no_part_stands_on_another_and_each_is_on_the_side_of_its_hole_beyond_its_lane(there: Sequence[Hookup]) -> None:
    places = placed(there)
    assert {place.hookup.gpio for place in places} == {each.gpio for each in there}
    for hand in (-1, 1):
        heights = [place.y for place in places if place.hand == hand]
        assert all(upper - lower >= 1.8 for upper, lower in pairwise(heights))
    assert all(place.y > bottom(places) for place in places)
    for part in placed(there):
        assert (part.hookup.hole % 2 == 0) == (part.hand == 1)
        assert 2.3 < abs(part.lane) < abs(part.start)


def _piece(made: StripLayout, hole: Hole) -> tuple[int, int]:
    """Return the piece of copper that a hole lies on: its strip, and how many cuts are left of it. Between the header's rows is one too."""
    cuts = sum(cut.column < hole.column for cut in made.cuts if cut.strip == hole.strip)
    return hole.strip, cuts + (FIRST <= hole.strip < FIRST + 20 and hole.column > ODD)


def _on(made: StripLayout, component: Component) -> list[tuple[int, int]]:
    return [_piece(made, hole) for hole in component.holes]


def _wires(made: StripLayout, piece: tuple[int, int]) -> list[tuple[str, str]]:
    return sorted((lead.colour, lead.to) for lead in made.leads if _piece(made, lead.hole) == piece)


def _grounds(made: StripLayout) -> set[tuple[int, int]]:
    return {_piece(made, place(pin)) for pin in GROUNDS}


def _logic(made: StripLayout) -> set[tuple[int, int]]:
    """Return the pieces that carry 3.3 V: those of its holes, and what a bridge joins to them."""
    there = {_piece(made, place(pin)) for pin in (1, 17)}
    for part in made.components:
        if part.sort == "bridge" and there.intersection(_on(made, part)):
            there.update(_on(made, part))
    return there


def _across(made: StripLayout, each: Hookup, sort: str) -> list[tuple[str, tuple[int, int]]]:
    """Return the value and the far end of each part of that sort between the hole's piece and another strip."""
    here = _piece(made, place(each.hole))
    ends = [(part.value, set(_on(made, part)) - {here}) for part in made.components if part.sort == sort and here in _on(made, part)]
    return [(value, far) for value, (far,) in ends if far[0] != here[0]]


def _behind_resistor(made: StripLayout, each: Hookup) -> tuple[int, int]:
    """Return the piece behind the resistor along that hole's strip, which has the right value and is the only one."""
    here = _piece(made, place(each.hole))
    [resistor] = [
        part
        for part in made.components
        if part.sort == "resistor" and here in _on(made, part) and part.holes[0].strip == part.holes[1].strip
    ]
    assert resistor.value == ohms(each.spec.resistor)
    [behind] = set(_on(made, resistor)) - {here}
    return behind


@pytest.mark.parametrize("name", shipped_boards())
def test_every_hole_is_used_once_clear_of_the_headers_box_and_no_two_of_the_header_are_joined(name: str) -> None:
    made = layout(load_board(name))
    pieces = [_piece(made, place(pin)) for pin in range(1, 41)]
    assert len(set(pieces)) == 40
    taken = Counter(layout(load_board(name)).taken())
    assert set(taken.values()) == {1}
    assert all(1 <= hole.strip <= STRIPS and 1 <= hole.column <= HOLES and not ODD - 1 <= hole.column <= ODD + 2 for hole in taken)


@pytest.mark.parametrize("name", shipped_boards())
def test_from_each_pin_the_way_leads_through_its_resistor_to_its_own_wire_or_to_a_transistors_base(name: str) -> None:
    made = layout(load_board(name))
    for each in hookups(load_board(name)):
        behind = _behind_resistor(made, each)
        if each.how == "bus":
            assert _wires(made, behind) == [(each.colour, f"{side} {each.title[:3]}") for side in ("left", "right")]
            continue
        if each.how != "driven":
            assert _wires(made, behind) == [(each.colour, each.title)]
            continue
        [transistor] = [part for part in made.components if part.sort == "transistor" and behind in _on(made, part)]
        collector, base, emitter = _on(made, transistor)
        assert base == behind
        assert emitter in _grounds(made)
        assert collector not in {_piece(made, place(pin)) for pin in range(1, 41)}
        assert _wires(made, collector) == [(each.colour, f"{each.title} -")]
        assert _wires(made, base) == []


@pytest.mark.parametrize("name", shipped_boards())
def test_every_black_wire_is_on_ground_every_red_one_on_5_v_and_each_thing_has_what_it_needs(name: str) -> None:
    board = load_board(name)
    made = layout(board)
    [fuse] = [part for part in made.components if part.sort == "fuse"]
    before, behind = _on(made, fuse)
    assert {on_hole(pin) for pin in (2, 4)} == {"5 V"}
    assert before == _piece(made, place(4))
    volts = {behind} - {_piece(made, place(pin)) for pin in range(1, 41)}
    assert all(_piece(made, lead.hole) in _grounds(made) for lead in made.leads if lead.colour == "black")
    assert all(_piece(made, lead.hole) in volts for lead in made.leads if lead.colour == "red")
    there = hookups(board)
    blacks, reds, limes = (sorted(lead.to for lead in made.leads if lead.colour == colour) for colour in ("black", "red", "lime"))
    on_bus = [f"{side} display" for side in board.displays] if any(board.bus()) else []
    assert blacks == sorted([*on_bus, *(each.title for each in there if each.how not in ("driven", "bus"))])
    assert limes == sorted(on_bus)
    assert all(_piece(made, lead.hole) in _logic(made) for lead in made.leads if lead.colour == "lime")
    assert reds == sorted(f"{each.title} +" if each.how == "driven" else each.title for each in there if each.how in ("driven", "serial"))


@pytest.mark.parametrize("name", shipped_boards())
def test_each_contact_has_its_capacitor_to_ground_and_its_pull_up_to_3_3_v(name: str) -> None:
    board = load_board(name)
    made = layout(board)
    assert {on_hole(pin) for pin in (1, 17)} == {"3.3 V"}
    for each in hookups(board):
        capacitors, pull_ups = _across(made, each, "capacitor"), _across(made, each, "resistor")
        if each.user.startswith("buttons."):
            assert ([value for value, _ in capacitors], [value for value, _ in pull_ups]) == (["10 nF"], ["2.7 kΩ"])
            assert capacitors[0][1] in _grounds(made)
            assert pull_ups[0][1] in _logic(made)
        else:
            assert capacitors == pull_ups == []
    # Nothing lies on another.
    upright = [sorted(part.holes) for part in made.components if part.holes[0].column == part.holes[1].column and part.sort != "transistor"]
    for (one, other), (first, last) in combinations(upright, 2):
        assert one.column != first.column or other.strip < first.strip or last.strip < one.strip


@pytest.mark.parametrize("name", shipped_boards())
def test_nothing_is_soldered_in_that_no_hookup_asks_for(name: str) -> None:
    there = hookups(load_board(name))
    pulled = [each for each in there if isinstance(each.spec, PinSpec) and each.spec.pull_up]
    made = layout(load_board(name))
    assert Counter(part.sort for part in made.components) == Counter(
        ["resistor" for each in there if each.spec.resistor]
        + ["resistor"] * len(pulled)
        + ["fuse"]
        + ["bridge"] * (any(each.hole % 2 == 0 for each in pulled) or any(each.how == "bus" for each in there))
        + ["transistor" for each in there if each.how == "driven"]
        + ["capacitor" for each in there if getattr(each.spec, "capacitor", 0)]
    )


def _with_left_button_on(board: Board, gpio: int) -> Board:
    return replace(board, buttons={**board.buttons, "left": replace(board.buttons["left"], gpio=gpio)})


def test_parts_that_find_no_room_are_refused_in_a_sentence() -> None:
    full = load_board("full")
    with pytest.raises(StripError, check=with_fields(where="left lamp", found="hole 36")):
        layout(_with_left_button_on(full, 20))  # GPIO 20 is the free neighbour of the left lamp's pin
    buttons = {**full.buttons, "left": replace(full.buttons["left"], gpio=8), "right": replace(full.buttons["right"], gpio=7)}
    with pytest.raises(StripError, check=with_fields(where="right button", found="hole 26")):
        layout(replace(full, buttons=buttons))  # four pull-ups fit beside one another
