"""Events in the words of the script format: there and back, and what is not of the format."""

import json
import re
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from game import events
from game.event_table import BY_NAME, format_event, parse_by, parse_event, usual_maker
from game.event_values import Malformed
from game.game import Phase
from rules.duration import NS, format_seconds, parse_instant
from rules.rulebooks import load_rulebook
from rules.side import BySide, Side
from tests.cells import each_cell
from tests.examples import examples
from tests.firmware.any_event import REASONS, any_event
from tests.firmware.saying import RULEBOOKS

AMOUNTS = st.integers(-(10**13), 10**13)
ALLOWANCES = st.none() | st.integers(0, 10**13)
NEW_GAMES = st.builds(
    lambda rulebook, left, right: events.NewGame(load_rulebook(rulebook), rulebook, BySide(left, right)),
    st.sampled_from(RULEBOOKS),
    ALLOWANCES,
    ALLOWANCES,
)
EVENTS: st.SearchStrategy[events.Event] = NEW_GAMES | any_event(REASONS, AMOUNTS, st.integers(1, 10**6))


@settings(deadline=None, max_examples=examples(300))
@given(event=EVENTS)
def test_every_event_comes_back_from_its_own_words(event: events.Event) -> None:
    assert parse_event(format_event(event), load_rulebook) == event


@settings(deadline=None, max_examples=examples(100))
@given(event=EVENTS, by=st.none() | st.sampled_from(events.By))
def test_who_made_an_event_is_written_where_it_is_not_the_usual_one(event: events.Event, by: events.By | None) -> None:
    words = format_event(event, by)
    assert parse_event(words, load_rulebook) == event
    assert (parse_by(words) or usual_maker(event)) is (by or usual_maker(event))
    assert ("by" in words) is (by is not None and by is not usual_maker(event))


@settings(deadline=None, max_examples=examples(100))
@given(ns=AMOUNTS)
def test_an_amount_comes_back_exactly_from_a_line_of_json(ns: int) -> None:
    line = f'{{"do": "adjust", "side": "left", "seconds": {format_seconds(ns)}, "when": "now", "reason": "x"}}'
    event = parse_event(json.loads(line, parse_float=Decimal), load_rulebook)
    assert event == events.Adjust(Side.LEFT, ns, events.When.NOW, "x")


@settings(deadline=None, max_examples=examples(100))
@given(ns=st.integers(0, 10**15))
def test_an_instant_is_read_exactly_with_any_number_of_decimals_up_to_nine(ns: int) -> None:
    assert parse_instant(f"{ns // NS}.{ns % NS:09d}") == parse_instant(format_seconds(ns)) == ns


def test_an_instant_is_digits_with_at_most_nine_decimals() -> None:
    for cell in each_cell(["", ".5", "1.", "-1", "+1", "1e3", "1,5", "1.0000000001", "0x1", " 1", "1_0", "1.2.3", "NaN", "\u0661"]):
        with cell as text, pytest.raises(ValueError, match="expected seconds"):
            parse_instant(text)


MALFORMED: list[dict[str, Any]] = [
    {},
    {"do": None},
    {"do": ["press"]},
    {"do": "pres", "side": "left"},
    {"do": "Press", "side": "left"},
    {"do": "press"},
    {"do": "press", "side": "middle"},
    {"do": "press", "side": "both"},
    {"do": "press", "side": None},
    {"do": "press", "side": ["left"]},
    {"do": "press", "side": "left", "when": "now"},
    {"do": "hold", "side": "left"},
    {"do": "neutralise", "reason": 5},
    {"do": "verdict"},
    {"do": "verdict", "acceptable": "yes"},
    {"do": "verdict", "acceptable": 1},
    {"do": "verdict", "acceptable": True, "words": 0},
    {"do": "verdict", "acceptable": True, "words": True},
    {"do": "verdict", "acceptable": True, "words": Decimal("1.5")},
    {"do": "window", "name": "tea_break"},
    {"do": "window"},
    {"do": "end"},
    {"do": "end", "reason": ""},
    {"do": "end", "reason": "a\nb"},
    {"do": "end", "reason": "x" * 201},
    {"do": "end", "reason": "forfeit", "loser": "both"},
    {"do": "reason"},
    {"do": "points", "side": "left", "points": 0, "reason": "x"},
    {"do": "points", "side": "left", "points": 1001, "reason": "x"},
    {"do": "points", "side": "left", "points": Decimal("1.5"), "reason": "x"},
    {"do": "points", "side": "left", "points": True, "reason": "x"},
    {"do": "rulebook", "rulebook": "club"},
    {"do": "call"},
    {"do": "call", "on": 1},
    {"do": "window", "name": "mixing", "side": "both"},
    {"do": "window", "name": "missed_press", "ago": -1},
    {"do": "window", "name": "missed_press", "ago": Decimal("1.5")},
    {"do": "window", "name": "missed_press", "ago": "5"},
    {"do": "window", "name": "missed_press", "ago": True},
    {"do": "window", "name": "missed_press", "ago": None},
    {"do": "window", "name": "between_rounds", "seconds": 299},
    {"do": "window", "name": "between_rounds", "seconds": 601},
    {"do": "window", "name": "between_rounds", "seconds": Decimal("300.5")},
    {"do": "window", "name": "between_rounds", "seconds": True},
    {"do": "erase_overtime", "side": "left", "reason": "x", "to_seconds": 1},
    {"do": "erase_overtime", "side": "left", "reason": "x", "to_seconds": Decimal("-0.5")},
    {"do": "new_game", "rulebook": "naspa-2017", "edition": 2},
    {"do": "new_game", "rulebook": "naspa-2017", "edition": True},
    {"do": "late_start", "side": "none"},
    {"do": "adjust", "side": "left", "seconds": "60", "when": "now", "reason": "x"},
    {"do": "adjust", "side": "left", "seconds": True, "when": "now", "reason": "x"},
    {"do": "adjust", "side": "left", "seconds": 60, "when": "later", "reason": "x"},
    {"do": "adjust", "side": "left", "seconds": 60, "when": "now"},
    {"do": "adjust", "side": "left", "seconds": Decimal("0.0000000001"), "when": "now", "reason": "x"},
    {"do": "undo"},
    {"do": "undo", "reason": "x", "event": "3"},
    {"do": "undo", "reason": "x", "event": True},
    {"do": "new_game"},
    {"do": "new_game", "rulebook": 2017},
    {"do": "new_game", "rulebook": "naspa-2017", "left_seconds": -1},
    {"do": "new_game", "rulebook": "naspa-2017", "left_seconds": "60"},
]


def test_what_is_not_of_the_format_is_malformed_and_said_in_one_line() -> None:
    for cell in each_cell(MALFORMED):
        with cell as fields:
            with pytest.raises(Malformed) as caught:
                parse_event(fields, load_rulebook)
            assert "\n" not in str(caught.value)


def test_who_makes_an_event_is_the_players_or_the_director() -> None:
    for cell in each_cell(["both", "left", None, True, ["players"], ""]):
        with cell as by, pytest.raises(Malformed, match="press: by"):
            parse_by({"do": "press", "side": "left", "by": by})


_SPEC = Path(__file__).parents[2] / "docs" / "spec" / "events.md"
_PHASE_WORDS = {each.value for each in Phase}
_PRINTED = ("show", "edge")
"""Lines of a script that are no events."""


def test_the_contract_lists_each_event_of_the_table_with_its_keys_and_phases() -> None:
    keys: dict[str, tuple[set[str], set[str]]] = {}
    phases: dict[str, set[str]] = {}
    name = ""
    for line in _SPEC.read_text(encoding="utf-8").split("| `do` and keys |")[1].split("\n\n")[0].splitlines()[2:]:
        form, allowed = line.strip("|").split("|")[:2]
        required, _, others = form.split("(not ")[0].partition("[")
        named = re.findall(r"`(\w+)`", required)
        if named:
            # A row without a name goes on with the one before.
            name = named[0]
            keys[name] = (set(named[1:]), set(re.findall(r"`(\w+)`", others)) & set(BY_NAME[name].keys if name in BY_NAME else ()))
        phases.setdefault(name, set()).update(word for word in re.findall(r"`(\w+)`", allowed) if word in _PHASE_WORDS)
    assert [each for each in keys if each not in _PRINTED] == list(BY_NAME)
    for do, spec in BY_NAME.items():
        optional = {key for key, each in spec.keys.items() if each.optional}
        assert keys[do] == (spec.keys.keys() - optional, optional), do
        if len(spec.phases) < len(Phase):
            assert phases[do] == {phase.value for phase in spec.phases}, do
