"""The settings that the director's desk may change at a clock (docs/spec/wire.md, "What may come in"): no time, no rule, no trust, no wiring."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, TypeAlias

SettingValue: TypeAlias = str | int | bool
DESK_SETTINGS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "language": "language",
        "led_brightness": "led.brightness",
        "buzzer_enabled": "buzzer.enabled",
        "players_choose_rulebook": "director.players_choose_rulebook",
    }
)
"""For each key of the order, the clock's setting."""
