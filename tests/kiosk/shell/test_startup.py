"""How a station begins: without what was chosen and is gone, and with a door that nothing opens where nothing was set to open it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from kiosk.director.door import Lock
from kiosk.settings.places import merge
from kiosk.shell.choices import Choice, beside, read, write
from kiosk.shell.startup import lock_of
from tests.kiosk.kept_pin import KEPT_PIN
from tests.kiosk.shell.rig import rig
from tests.kiosk.shell.test_deskwork import OWN

pytestmark = pytest.mark.usefixtures("dummy_display")


def test_a_chosen_rulebook_that_is_gone_at_the_restart_is_forgotten_for_the_settings_own(tmp_path: Path) -> None:
    file, chosen = tmp_path / "own.toml", beside(tmp_path / "station.db")
    file.write_text(OWN, encoding="utf-8")
    write(chosen, {"rulebook": Choice(str(file), over="naspa-2017")})
    with rig(tmp_path) as station:
        assert station.loop.station.flow.context.rulebook.id == "own"
    file.unlink()
    with rig(tmp_path, door__pin=KEPT_PIN) as station:
        assert station.loop.station.flow.context.rulebook.id == "naspa-2017"
        station.tap("door", *(f"tile.{digit}" for digit in "2468"), "next", "place.name", "tile.A", "next")
    assert set(read(chosen)) == {"name"}


@pytest.mark.parametrize(
    ("pin", "key", "pins", "opens"),
    [
        (False, False, "none", Lock(pin=False)),
        (True, False, "none", Lock(pin=True)),
        (False, True, "none", Lock(pin=False)),
        (False, True, "mock", Lock(pin=False, key=True)),
        (False, False, "mock", Lock(pin=False)),
        (True, True, "mock", Lock(pin=True, key=True)),
    ],
)
def test_the_door_opens_by_what_was_set_and_by_a_key_switch_only_where_there_are_pins(
    *, pin: bool, key: bool, pins: str, opens: Lock
) -> None:
    given: dict[str, Any] = {"door.pin": KEPT_PIN if pin else "", "door.key_switch": key, "board.pins": pins, "board.file": "station"}
    assert lock_of(merge([("test", given)]).settings) == opens


def test_where_no_pin_is_set_none_is_right(tmp_path: Path) -> None:
    with rig(tmp_path) as station:
        for pin in ("0000", "2468", ""):
            assert station.loop._handler.right(pin) is False
        station.tap("door")
        station.type("0000")
        station.key("return")
        assert not station.loop.station.door.is_open
