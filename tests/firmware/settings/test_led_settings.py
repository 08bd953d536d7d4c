"""The settings of the LED displays."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware.settings import SettingsError, load_settings
from firmware.settings.model import LedSettings
from firmware.settings.places import dump, merge


def led(**values: object) -> LedSettings:
    return merge([("clock.toml", {f"led.{key}": value for key, value in values.items()})]).settings.led


def test_by_itself_a_clock_uses_the_displays_of_its_board_as_bright_as_they_are() -> None:
    assert led() == LedSettings(enabled=True, left=(), right=(), brightness=100)


def test_one_port_is_a_list_of_one_and_the_likeliest_of_several_comes_first() -> None:
    both = led(left="/dev/ttyUSB0", right=["/dev/serial/by-id/*right*", "/dev/ttyUSB1"])
    assert both.left == ("/dev/ttyUSB0",)
    assert both.right == ("/dev/serial/by-id/*right*", "/dev/ttyUSB1")


def test_a_port_that_does_not_begin_at_the_root_begins_at_the_settings_file_as_other_paths_do(tmp_path: Path) -> None:
    file = tmp_path / "clock.toml"
    file.write_text('[led]\nleft = "tty-left"\nright = ["/dev/serial/by-id/*right*", "../tty-*"]\n', encoding="utf-8")
    led = load_settings({}, file).settings.led
    assert (led.left, led.right) == ((f"{tmp_path}/tty-left",), ("/dev/serial/by-id/*right*", f"{tmp_path}/../tty-*"))
    given = load_settings({"led.left": "tty-left"}, file).settings.led
    assert given.left == (str(Path.cwd() / "tty-left"),)


@pytest.mark.parametrize(
    ("key", "value", "where", "found"),
    [
        ("left", 7, "led.left", "7"),
        ("left", "", "led.left.0", '""'),
        ("right", [1], "led.right.0", "1"),
        ("brightness", 101, "led.brightness", "101"),
        ("brightness", -1, "led.brightness", "-1"),
        ("enabled", "yes", "led.enabled", '"yes"'),
        ("up", "/dev/ttyUSB0", "led", '"up"'),
    ],
)
def test_what_cannot_be_is_told_with_its_file_and_key(key: str, value: object, where: str, found: str) -> None:
    with pytest.raises(SettingsError) as told:
        led(**{key: value})
    assert (told.value.where, told.value.found) == (f"clock.toml: {where}", found)


def test_what_is_changed_is_dumped_as_toml() -> None:
    changed = merge([("clock.toml", {"led.left": "/dev/ttyUSB0", "led.brightness": 40})])
    assert list(dump(changed, changed=True)) == [("led.left", '["/dev/ttyUSB0"]', "clock.toml"), ("led.brightness", "40", "clock.toml")]
