"""The table of docs/spec/events.md, "The 15 most common acts": each act played by real presses costs the number that stands there."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

from rules.duration import NS
from tests.cells import each_cell
from tests.firmware.table_menu.player import Players, players

SPEC: Final = Path(__file__).parents[3] / "docs" / "spec" / "events.md"
RUNNING = ("0 press right",)
STOPPED = ("0 press right", "14 neutralise")
OUT = ("0 press right", "14 out_play")
ADJUDICATION = ("0 press right", "14 challenge")
OVER = ("0 press right", "14 end reason=x")
HABIT = ("0 press right", "10 press left")
HELD = 1_200
"""Milliseconds of a press that calls."""
CALLED = 2_200
"""Milliseconds of the bar's own call."""
Act = tuple[str, tuple[str, ...], Callable[[Players], None], str]
"""Rulebook, script before, presses, and the event they make."""


def menu(*names: str) -> Callable[[Players], None]:
    """Return the act that opens the table menu and takes those rows."""

    def act(both: Players) -> None:
        both.open()
        both.path(*names)

    return act


def presses(*buttons: tuple[str, int]) -> Callable[[Players], None]:
    """Return the act of pressing buttons, each for so many ms."""

    def act(both: Players) -> None:
        for button, held in buttons:
            both.press(button, held)

    return act


SHORT = 150
ACTS: Final[dict[str, list[Act]]] = {
    "end the turn": [("naspa-2017", RUNNING, presses(("left", SHORT)), "press left")],
    "stop, resume": [
        ("naspa-2017", RUNNING, presses(("bar", SHORT)), "neutralise"),
        ("naspa-2017", STOPPED, presses(("bar", SHORT)), "resume left"),
    ],
    "challenge": [("naspa-2017", RUNNING, presses(("bar", CALLED)), "challenge")],
    "verdict acceptable; unacceptable; acceptable, 3 words (NZ, Collins)": [
        ("naspa-2017", ADJUDICATION, presses(("bar", SHORT), ("bar", HELD)), "verdict true 1"),
        ("naspa-2017", ADJUDICATION, presses(("bar", SHORT), ("bar", SHORT), ("bar", HELD)), "verdict false 1"),
        ("nzasp-2022", ADJUDICATION, presses(*[("bar", SHORT)] * 4, ("bar", HELD)), "verdict true 3"),
    ],
    "record a hold; release it": [
        ("naspa-2017", RUNNING, presses(("right", HELD)), "hold"),
        ("naspa-2017", (*RUNNING, "14 hold"), presses(("right", HELD)), "release"),
    ],
    "out play after a stop": [("naspa-2017", RUNNING, presses(("bar", SHORT), ("left", HELD), ("left", SHORT)), "out_play")],
    "out play after a press out of habit": [("naspa-2017", HABIT, menu("out_play", "left"), "out_play")],
    "accept an out play": [("naspa-2017", OUT, presses(("right", HELD)), "release")],
    "reason for the stop": [("naspa-2017", RUNNING, menu("reason", "tile count"), "reason tile count")],
    "time frame; with who decides; with how long ago": [
        ("naspa-2017", RUNNING, menu("frames", "mixing"), "window mixing"),
        ("naspa-2017", RUNNING, menu("frames", "tile_decision", "left"), "window tile_decision left"),
        ("naspa-2017", RUNNING, menu("frames", "missed_press", str(10 * NS)), "window missed_press 10"),
    ],
    "six zeros": [("naspa-2017", RUNNING, menu("six_zeros", "yes"), "end six zeros")],
    "take back the last press": [
        ("naspa-2017", ("0 press right", "10 press left"), menu("take_back", "agreed"), "undo taken back by both players 3 players")
    ],
    "call the director": [("naspa-2017", RUNNING, menu("call"), "call true")],
    "recount minute": [("naspa-2017", OVER, menu("recount"), "window recount")],
    "next game": [("naspa-2017", OVER, presses(("bar", CALLED)), "new_game 4 naspa-2017")],
}


def _counts() -> dict[str, list[int]]:
    """Return the presses of each act in the table's last column; a held press is followed by its length."""
    section = SPEC.read_text("utf-8").split("## The 15 most common acts")[1].split("\n## ")[0]
    rows = re.findall(r"^\| (.+?) \| .+ \| (.+) \|$", section, re.MULTILINE)[2:]
    return {name: [int(found) for found in re.findall(r"(?<!held )\b\d+", counts)] for name, counts in rows}


def test_there_are_fifteen_acts_each_with_its_presses() -> None:
    assert {name: len(counts) for name, counts in _counts().items()} == {name: len(acts) for name, acts in ACTS.items()}
    assert len(ACTS) == 15


@pytest.mark.parametrize("two_button", [False, True], ids=["full", "two-button"])
def test_each_act_costs_the_presses_of_the_table(two_button: bool) -> None:
    presses_of = _counts()
    cells = [(name, count, *act) for name, acts in ACTS.items() for count, act in zip(presses_of[name], acts, strict=True)]
    for cell in each_cell(cells, name=lambda each: each[0]):
        with cell as (_, count, rulebook, start, act, event):
            both = players(rulebook, *start, at=20_000, two_button=two_button)
            act(both)
            assert any(said == event or said.startswith(f"{event} ") for said in both.said())
            assert both.presses == count
