"""What pydantic finds in a file, as the fields of our errors."""

from __future__ import annotations

from typing import Annotated, Any

import pytest
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, SecretStr, ValidationError, model_validator

from appliance.validation import Fault, first_fault, nearest, shown, together, unknown_key
from tests.cells import each_cell


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


def _is_wall(name: str) -> str:
    if name not in {"north", "south"}:
        raise unknown_key(("north", "south"))
    return name


class _Wall(_Strict):
    bricks: int


class _Roof(_Strict):
    tiles: int = 0
    secret: SecretStr = SecretStr("")

    @model_validator(mode="after")
    def _fits(self) -> _Roof:
        if self.tiles == 13:
            raise together(expected="any number but 13", found="13", remedy="Add one")
        return self


class _House(_Strict):
    name: Annotated[str, Field(min_length=1, description="a word")] = "home"
    roof: _Roof | None = None
    walls: dict[Annotated[str, AfterValidator(_is_wall)], _Wall] = {}


def _fault(content: dict[str, Any]) -> Fault:
    with pytest.raises(ValidationError) as caught:
        _House.model_validate(content)
    return first_fault(caught.value, _House, lambda path: "a number of bricks" if path[-1] == "bricks" else None)


FAULTS: list[tuple[dict[str, Any], str, tuple[str, ...]]] = [
    ({"rof": {}}, "rof", ("", "one of the keys name, roof, walls", '"rof"', "Did you mean roof?")),
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
]


def test_the_first_fault_has_its_key_its_place_and_what_to_do() -> None:
    for cell in each_cell(FAULTS):
        with cell as (content, key, fields):
            fault = _fault(content)
            assert (fault.key, tuple(fault.fields[name] for name in ("where", "expected", "found", "remedy"))) == (key, fields)


def test_values_are_cut_to_fit_a_sentence_and_far_names_are_not_offered() -> None:
    assert shown("é" * 299) == f'"{"é" * 196}...'
    assert shown(10**5000) == "a number too long to show"
    assert nearest("roof", ["walls"]) == ""
