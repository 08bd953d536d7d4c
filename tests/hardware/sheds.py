"""A program made up here with settings that name files of one's own, and a machine that it runs on."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import pytest
from pydantic import Field

from appliance.errors import SettingsError
from appliance.settings.last_good import FOLDER, LastGood
from appliance.settings.layers import Layered, Layers, Strict, is_file
from faults.errors import reason


class Door(Strict):
    """Something with a value of its own."""

    width: Annotated[int, Field(ge=10)] = 80


class Shed(Strict):
    """Settings that name a file which has to be TOML."""

    plan: str = "shipped"
    plans: Annotated[tuple[str, ...], Field(strict=False)] = ()
    colour: str = "brown"
    door: Door = Door()


def _usable(layered: Layered[Shed]) -> None:
    shed = layered.settings
    for plan in (shed.plan, *shed.plans):
        if is_file(plan):
            try:
                tomllib.loads(Path(plan).read_text())
            except (OSError, ValueError) as error:
                raise SettingsError(where=plan, expected="a plan", found=reason(error)) from error
        elif plan != "shipped":
            raise SettingsError(expected="the plan shipped", found=repr(plan))


class Machine:
    """A machine of its own: the system's file, the boot partition's, and a state folder that is not there yet."""

    def __init__(self, folder: Path) -> None:
        self.system, self.boot, self.state = folder / "etc" / "shed.toml", folder / "boot" / "shed.toml", folder / "state"
        self.system.parent.mkdir()
        self.boot.parent.mkdir()
        layers = Layers(Shed, lambda: ((self.system,), (self.boot,)), paths={"plan": is_file, "plans": is_file})
        self.last_good = LastGood(layers, _usable, frozenset({"plan", "plans"}), self.state)

    def take(self, options: Mapping[str, object] | None = None) -> Layered[Shed]:
        return self.last_good.take(options or {})

    def copy(self, file: Path) -> Path:
        return self.state / FOLDER / str(file).lstrip("/")


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)
