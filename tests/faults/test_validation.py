from collections.abc import Iterator, Sequence
from typing import Annotated, Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Meta, field

from faults.validation import Fault, InvalidTable, Misfit, Secret, Table, check, faults_in, nearest, read_table, shown
from tests.cells import each_cell


class _Wall(Table, frozen=True):
    bricks: int


class _Roof(Table, frozen=True):
    tiles: int = 0
    secret: Secret = Secret("")

    @check
    def _is_no_13(self) -> Iterator[Misfit]:
        if self.tiles == 13:
            yield Misfit(expected="any number but 13", found="13", remedy="Add one")

    @check
    def _is_no_14(self) -> Iterator[Misfit]:
        if self.tiles == 14:
            yield Misfit(key="tiles", expected="any number but 14")


class _House(Table, frozen=True):
    name: Annotated[str, Meta(min_length=1, description="a word")] = "home"
    roof: _Roof | None = None
    walls: dict[Literal["north", "south"], _Wall] = field(default_factory=dict)
    doors: tuple[Annotated[int, Meta(ge=1, le=9)] | Literal["none"], ...] = ()
    slope: Annotated[float, Meta(ge=0.5)] = 1


def _bricks(path: Sequence[str]) -> str | None:
    return "a number of bricks" if path[-1] == "bricks" else None


def _fault(content: dict[str, Any]) -> Fault:
    with pytest.raises(InvalidTable) as caught:
        read_table(content, _House, _bricks)
    return caught.value.faults[0]


_VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.sampled_from(["", "none", "x"]), st.integers(0, 14)),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.sampled_from(["bricks", "tiles", "secret", "north"]), inner)),
    max_leaves=6,
)


@given(st.dictionaries(st.sampled_from([*_House.__struct_fields__, "x"]), _VALUES))
def test_a_table_is_refused_where_and_only_where_a_fault_is_found(content: dict[str, Any]) -> None:
    try:
        read_table(content, _House)
        refused: tuple[Fault, ...] = ()
    except InvalidTable as invalid:
        refused = invalid.faults
        assert refused != ()
    assert refused == faults_in(content, _House)


FAULTS: list[tuple[dict[str, Any], str, tuple[str, ...]]] = [
    ({"rof": {}}, "rof", ("", "one of the keys name, roof, walls, doors, slope", '"rof"', "Did you mean roof?")),
    ({"roof": {"x": 1}}, "roof.x", ("roof", "one of the keys tiles, secret", '"x"', "Remove it")),
    ({"walls": {"soth": {"bricks": 1}}}, "walls.soth", ("walls", "one of the keys north, south", '"soth"', "Did you mean south?")),
    ({"walls": {"north": {"x": 1}}}, "walls.north.x", ("walls.north", "one of the keys bricks", '"x"', "Remove it")),
    ({"walls": {"north": {}}}, "walls.north.bricks", ("walls.north.bricks", "a number of bricks", "nothing", "Add it")),
    ({"walls": {"north": {"bricks": "9"}}}, "walls.north.bricks", ("walls.north.bricks", "a number of bricks", '"9"', "Correct it")),
    ({"name": ""}, "name", ("name", "a word", '""', "Correct it")),
    ({"name": 3}, "name", ("name", "a valid string", "3", "Correct it")),
    ({"roof": 3}, "roof", ("roof", "a table with tiles, secret", "3", "Correct it")),
    ({"roof": {"secret": 7}}, "roof.secret", ("roof.secret", "a valid string", "something else", "Correct it")),
    ({"roof": {"tiles": 13}}, "roof", ("roof", "any number but 13", "13", "Add one")),
    ({"roof": {"tiles": 14}}, "roof.tiles", ("roof.tiles", "any number but 14", "14", "")),
    ({"doors": [1, "none", 10]}, "doors.2", ("doors.2", "less than or equal to 9", "10", "Correct it")),
    ({"doors": ["non"]}, "doors.0", ("doors.0", "a valid integer", '"non"', "Correct it")),
    ({"slope": float("nan")}, "slope", ("slope", "greater than or equal to 0.5", "NaN", "Correct it")),
    ({"slope": True}, "slope", ("slope", "a valid number", "true", "Correct it")),
]


def test_the_first_fault_has_its_key_its_place_and_what_to_do() -> None:
    for cell in each_cell(FAULTS):
        with cell as (content, key, fields):
            fault = _fault(content)
            assert (fault.key, tuple(fault.fields[name] for name in ("where", "expected", "found", "remedy"))) == (key, fields)
    # Values are cut to fit a sentence and far names are not offered.
    assert shown("é" * 299) == f'"{"é" * 196}...'
    assert shown(10**5000) == "a number too long to show"
    assert nearest("roof", ["walls"]) == ""
