from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from appliance.settings.layers import Layers
from firmware.settings.places import LAYERS as CLOCK
from kiosk.settings.places import LAYERS as STATION


@pytest.mark.parametrize("program", [CLOCK, STATION], ids=["clock", "station"])
def test_a_settings_file_that_names_lgpio_uses_gpiod(tmp_path: Path, program: Layers[Any]) -> None:
    file = tmp_path / "settings.toml"
    file.write_text('[board]\npins = "lgpio"\n', encoding="utf-8")
    found = program.load({}, file)
    assert found.settings.board.pins == "gpiod"
    assert ("board.pins", '"gpiod"', str(file)) in program.dump(found)
