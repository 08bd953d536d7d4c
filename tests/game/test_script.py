"""The lines of a script, and their JSON to the digit (docs/spec/events.md); ``tileclock replay`` of one: tests/firmware/test_replay.py."""

import re
from decimal import Decimal

import pytest

from faults.errors import TileclockError
from game.events import By, Press
from game.exact_json import Malformed, decode, encode, short
from game.script import ScriptEdge, ScriptLine, Show, read_lines
from rules.rulebooks import load_rulebook
from rules.side import Side
from tests.cells import each_cell
from tests.errors import with_fields

BEGIN = '{"t": "0", "do": "new_game", "edition": 5, "rulebook": "naspa-2017"}'


def read(*lines: str) -> list[ScriptLine]:
    return list(read_lines((line.encode("utf-8", "surrogateescape") for line in lines), "game.jsonl", load_rulebook))


def test_a_line_has_its_number_its_exact_instant_its_command_and_its_maker_and_blank_ones_and_comments_are_skipped() -> None:
    press = '{"do": "press", "side": "left", "t": "2.000000001", "by": "director"}'
    edge = '{"t": "1.5", "do": "edge", "button": "left", "down": true}'
    begun, *rest = read("\ufeff// a game", "", BEGIN, "   ", '  // {"not": "read"}', '{"t":"1.50","do": "show"}', edge, edge, press)
    assert (begun.number, begun.t, begun.at, begun.edition) == (3, "0", 0, True)
    assert rest == [
        ScriptLine(6, "1.50", 1_500_000_000, Show()),
        *(ScriptLine(number, "1.5", 1_500_000_000, ScriptEdge("left", down=True)) for number in (7, 8)),
        ScriptLine(9, "2.000000001", 2_000_000_001, Press(Side.LEFT), By.DIRECTOR),
    ]


ADJUST = '{{"t": "1", "do": "adjust", "side": "left", "seconds": {}, "when": "now", "reason": "x"}}'
MALFORMED = [
    *("press", "{", "5", '["t", "1"]', '{"t": "1"}', '{"do": "press", "side": "left"}'),
    *(
        '{"t": 1, "do": "press", "side": "left"}',
        '{"t": null, "do": "press", "side": "left"}',
        '{"t": "1s", "do": "press", "side": "left"}',
    ),
    *('{"t": "1", "do": "pess", "side": "left"}', '{"t": "1", "do": "show", "side": "left"}', '{"t": "1", "t": "1", "do": "show"}'),
    '{"t": "1", "do": "press", "side": "left"} {"t": "2", "do": "show"}',
    '{"t": "1", "do": "edge", "button": "left"}',
    '{"t": "1", "do": "edge", "button": "middle", "down": true}',
    '{"t": "1", "do": "edge", "button": "left", "down": 1}',
    '{"t": "1", "do": "edge", "button": ["left"], "down": true}',
    *(ADJUST.format(seconds) for seconds in ("NaN", "10000000000", "1e400", "1e999999999", "1e99999999999999999999", "9" * 5000)),
    '{"t": "1", "do": "new_game", "rulebook": "chess"}',
    '{"t": "1", "do": ' + "[" * 100_000 + "]" * 100_000 + "}",
    '{"t": "0", "do": "show"}',  # earlier than the line before
    '{"t": "1", "do": "end", "reason": "\udcff"}',  # a byte that is no text
    "\ufeff" + BEGIN,
]


def test_what_is_no_line_of_a_script_is_malformed_with_its_file_and_number() -> None:
    for cell in each_cell(MALFORMED):
        with cell as line, pytest.raises(TileclockError, check=with_fields(where=re.compile(r"^game\.jsonl:3\b"))):
            read(BEGIN, '{"t": "0.5", "do": "press", "side": "right"}', line)
    for first in (
        '{"t": "0", "do": "press", "side": "left"}',
        '{"t": "0", "do": "show"}',
        '{"t": "0", "do": "edge", "button": "left", "down": true}',
    ):
        with pytest.raises(Malformed, check=with_fields(where="game.jsonl:2", expected="a new_game in the first line")):
            read("// comment", first, BEGIN)


def test_another_edition_is_refused_in_the_first_line_and_later() -> None:
    for cell in each_cell(["1", "2", "3", "4.0", '"4"', "true", "null", "[4]"]):
        with cell as edition:
            other = BEGIN.replace("5", edition)
            for before in ((), (BEGIN, '{"t": "0", "do": "end", "reason": "x"}')):
                with pytest.raises(Malformed, check=with_fields(where=re.compile(rf":{len(before) + 1}: new_game: edition"), expected="5")):
                    read(*before, other)


def test_numbers_stay_exact_and_an_error_shows_at_most_sixty_characters() -> None:
    fields = {"a": Decimal("1.50"), "b": -3, "c": "é", "d": None}
    assert encode(fields, {"e": "0.10"}) == '{"a": 1.50, "b": -3, "c": "\\u00e9", "d": null, "e": 0.10}'
    found = decode('{"a": 1.50, "b": -3, "c": 1e2}')
    assert (found, [type(each) for each in found.values()]) == ({"a": Decimal("1.5"), "b": -3, "c": 100}, [Decimal, int, Decimal])
    with pytest.raises(Malformed, check=with_fields(expected="a number of at most 20 digits", found="'" + "9" * 56 + "...")):
        decode('{"a": ' + "9" * 5000 + "}")
    assert [short("x" * length) for length in (58, 59)] == [repr("x" * 58), "'" + "x" * 56 + "..."]
