"""On a Pi the self-test tells how the board is wired; anywhere else there is nothing to be told."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from appliance.display.probe import Display
from appliance.finding import Finding
from firmware.doctor import Machine, State, examine
from firmware.settings.places import merge
from hardware.boards.pis import Pi, load_pi, pi_ids


def _found(folder: Path, pi: Pi | None, **board: Any) -> dict[str, Finding]:
    settings = {"journal.path": str(folder / "journal.db"), **{f"board.{key}": value for key, value in {"pins": "mock", **board}.items()}}
    machine = Machine(pi=lambda: pi, probe=lambda: Display("x11", 1280, 720))
    return {finding.name: finding for finding in examine(merge([("test", settings)]), machine=machine)}


@pytest.mark.parametrize("pi_id", pi_ids())
def test_a_sound_board_is_told_in_a_line(tmp_path: Path, pi_id: str) -> None:
    found = _found(tmp_path, load_pi(pi_id))
    assert found["wiring"].state is State.OK
    assert found["wiring"].found == f"the parts that board full names make electrical sense on a {load_pi(pi_id).title}"
    assert found["buttons at reset"].state is State.NOTE


def test_a_faulty_board_is_told_with_what_to_do_and_not_called_sound(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text(
        'title = "T"\nkind = "two-button"\n[buttons.left]\ngpio = 5\n[buttons.right]\ngpio = 6\n[lamps.left]\ngpio = 7\n', encoding="utf-8"
    )
    found = _found(tmp_path, load_pi("4"), file=str(own))
    assert "wiring" not in found
    assert found["lamps.left"].fix == "Take one of GPIO 9 to 27."


@pytest.mark.parametrize(("pi", "pins"), [(None, "mock"), (load_pi("4"), "none")], ids=["no Pi", "no pins"])
def test_off_a_pi_and_without_pins_nothing_is_said_of_wires(tmp_path: Path, pi: Pi | None, pins: str) -> None:
    assert "wiring" not in _found(tmp_path, pi, pins=pins)
