import os
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner

from appliance.errors import SettingsError
from appliance.settings import RejectedSettings
from firmware import settings as places
from firmware.cli.main import SETTINGS, main
from firmware.settings import LAYERS, DeskFile, LedSettings, desk_file, desk_path, merge
from tests.errors import refused, with_fields
from tests.some import some
from wire.proposals import DESK_SETTINGS, SettingValue


def _file(folder: Path, text: str, name: str = "clock.toml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setattr(places, "SYSTEM_FILE", tmp_path / "system.toml")
    monkeypatch.setattr(places, "BOOT_FILES", (tmp_path / "new boot.toml", tmp_path / "old boot.toml"))
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "state"))
    return tmp_path


@pytest.mark.parametrize(
    ("first", "then", "keys"),
    [
        ('board.file = "full"', "[board.file]\ny = 1", ("board.file", "board.file.y")),
        ("sreen = 3", "[sreen]\nx.y = 1", ("sreen", "sreen.x.y")),
        ("board = 3", '[board]\npins = "none"', ("board", "board.pins")),
    ],
)
def test_a_value_and_then_a_table_are_told_with_both_files(machine: Path, first: str, then: str, keys: tuple[str, str]) -> None:
    system, boot = _file(machine, first, "system.toml"), _file(machine, then, "new boot.toml")
    done = CliRunner().invoke(main, ["config"])
    refused(done, where=f"{system}: {keys[0]}", expected=f"a table, as {keys[1]} in {boot} has it")


def test_three_buttons_may_change_places_in_a_ring() -> None:
    remap = {"up": "down", "down": "ok", "ok": "up"}
    assert merge([("f", {"board.remap": remap})]).settings.board.remap == remap


def test_a_file_that_is_not_there_a_folder_no_text_or_wrong_is_refused_by_name(tmp_path: Path) -> None:
    text = tmp_path / "clock.toml"
    text.write_bytes(b"rulebook = '\x80'")
    for path, expected in ((tmp_path / "none.toml", "settings"), (tmp_path, "settings"), (text, "TOML in UTF-8")):
        with pytest.raises(SettingsError, check=with_fields(where=str(path), expected=expected)):
            LAYERS.load({}, path)
    path = _file(tmp_path, "board = 3")
    done = CliRunner().invoke(main, ["config", "--settings", str(path), "--pins", "none"])
    refused(done, where=f"{path}: board")


def test_config_prints_toml_that_gives_the_same_settings_or_what_differs_with_where_it_comes_from(tmp_path: Path) -> None:
    text = 'own_rulebooks = ["é.toml"]\nlanguage = "en"\n[board]\nfile = "two-button"\n[board.remap]\nleft = "right"\nright = "left"\n'
    layered = LAYERS.load({"screen.width": 640}, _file(tmp_path, text))
    printed = "\n".join(f"{key} = {value}" for key, value, _ in LAYERS.dump(layered))
    assert tomllib.loads(printed)
    assert LAYERS.load({}, _file(tmp_path, printed, "again.toml")).settings == layered.settings
    path = _file(tmp_path, '[screen]\nlayout = "single"\nkind = "window"\n')
    done = CliRunner().invoke(main, ["config", "--settings", str(path)])
    assert 'rulebook = "naspa-2017"' in done.stdout.splitlines()
    assert len(done.stdout.splitlines()) == len(list(LAYERS.dump(merge([]))))
    done = CliRunner().invoke(main, ["config", "--changed", "--settings", str(path), "--buzzer"])
    assert done.exit_code == 0
    assert done.stdout.splitlines() == [f'screen.layout = "single"  # {path}', "buzzer.enabled = true  # options"]


def _led(**values: object) -> LedSettings:
    return merge([("clock.toml", {f"led.{key}": value for key, value in values.items()})]).settings.led


def test_one_port_of_a_led_display_is_a_list_of_one_and_begins_where_its_file_is_as_other_paths_do(tmp_path: Path) -> None:
    assert _led(left="/dev/ttyUSB0").left == ("/dev/ttyUSB0",)
    file = _file(tmp_path, '[led]\nleft = "tty-left"\nright = ["/dev/serial/by-id/*right*", "../tty-*"]\n')
    led = LAYERS.load({}, file).settings.led
    assert (led.left, led.right) == ((f"{tmp_path}/tty-left",), ("/dev/serial/by-id/*right*", f"{tmp_path}/../tty-*"))
    assert LAYERS.load({"led.left": "tty-left"}, file).settings.led.left == (str(Path.cwd() / "tty-left"),)


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
def test_what_cannot_be_of_a_led_display_is_told_with_its_file_and_key(key: str, value: object, where: str, found: str) -> None:
    with pytest.raises(SettingsError, check=with_fields(where=f"clock.toml: {where}", found=found)):
        _led(**{key: value})


FRENCH: dict[str, SettingValue] = {"language": "fr", "led.brightness": 40, "buzzer.enabled": True}


def _spoil(content: bytes) -> None:
    desk_path().parent.mkdir(exist_ok=True)
    desk_path().write_bytes(content)


def _refused() -> RejectedSettings:
    return some(SETTINGS.take({}).refused)


@pytest.mark.usefixtures("machine")
def test_what_is_kept_is_in_force_at_the_next_start_and_a_later_order_adds_to_it() -> None:
    desk_file(SETTINGS.take({})).keep(FRENCH)
    desk_file(SETTINGS.take({})).keep({"led.brightness": 10})
    found = SETTINGS.take({})
    settings = found.settings
    assert (settings.language, settings.led.brightness, settings.buzzer.enabled, found.refused) == ("fr", 10, True, None)
    assert set(found.origins.values()) == {str(desk_path())}
    # None of these is set on the card: the desk may change them again.
    assert desk_file(found).on_card == frozenset()


def test_the_owners_files_and_options_come_before_the_desk(machine: Path) -> None:
    desk_file(SETTINGS.take({})).keep(FRENCH)
    (machine / "new boot.toml").write_text('language = "es"\n[screen]\nwidth = 800\n', encoding="utf-8")
    (machine / "named.toml").write_text("[led]\nbrightness = 5\n", encoding="utf-8")
    found = SETTINGS.take({"led.brightness": 70})
    settings = found.settings
    assert (settings.language, settings.led.brightness, settings.buzzer.enabled) == ("es", 70, True)
    assert desk_file(found).on_card == {"language", "led.brightness"}
    # A file that is named lies over the desk's too.
    settings = SETTINGS.take({}, machine / "named.toml").settings
    assert (settings.language, settings.led.brightness) == ("fr", 5)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "an empty file"),
        (b"\0" * 80, "an empty file"),
        (b"language = ", "a fault"),
        (b'language = "xx"', "xx"),
        (b"led.brightness = 101", "101"),
        (b'language = "fr"\njournal.path = "/dev/null"', "journal.path"),
        (b"hall.updates = true", "hall"),
        (b"led.brightness = " + b"[" * 3_000, "nested too deep"),
        (b"led.brightness = " + b"9" * 5_000, "a fault"),
        (b".".join([b"a"] * 2_000) + b" = 1", "a fault"),
        (b"# much\n" * 10_000 + b'language = "fr"', "70015"),
    ],
)
def test_a_spoiled_file_is_left_out_and_said_and_hinders_nothing(machine: Path, content: bytes, said: str) -> None:
    (machine / "new boot.toml").write_text("[screen]\nwidth = 800\n", encoding="utf-8")
    _spoil(content)
    found = SETTINGS.take({})
    assert (found.settings.language, found.settings.led.brightness, found.settings.screen.width) == ("en", 100, 800)
    why = str(_refused().why)
    assert _refused().own_file
    assert said in why
    assert "Send the settings again from the director's desk" in why
    # The next order makes a good file of it.
    desk_file(found).keep({"language": "fr"})
    assert (SETTINGS.take({}).settings.language, SETTINGS.take({}).refused) == ("fr", None)


def test_a_fault_of_the_desks_file_keeps_no_good_copy_of_the_owners_away(machine: Path) -> None:
    boot = machine / "new boot.toml"
    _spoil(b"x = 1")
    boot.write_text("[screen]\nwidth = 800\n", encoding="utf-8")
    SETTINGS.take({})
    boot.write_bytes(b"\0" * 80)
    assert SETTINGS.take({}).settings.screen.width == 800
    assert _refused().last_good


def test_a_fault_of_the_owners_file_is_told_first_and_the_desks_settings_stay(machine: Path) -> None:
    desk_file(SETTINGS.take({})).keep(FRENCH)
    (machine / "new boot.toml").write_text("x = 1", encoding="utf-8")
    assert SETTINGS.take({}).settings.language == "fr"
    assert not _refused().own_file
    assert "new boot.toml" in str(_refused().why)


def test_what_cannot_be_written_is_told_and_the_old_file_stays(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(OSError, match="file"):
        DeskFile(tmp_path / "file" / "desk.toml", frozenset()).keep(FRENCH)


@pytest.mark.needs_root
def test_what_root_keeps_belongs_to_the_owner_of_the_state_folder(tmp_path: Path) -> None:
    os.chown(tmp_path, 1234, 1235)
    DeskFile(tmp_path / "desk.toml", frozenset()).keep(FRENCH)
    kept = (tmp_path / "desk.toml").stat()
    assert (kept.st_uid, kept.st_gid) == (1234, 1235)


def test_no_setting_of_the_desk_touches_time_rule_trust_or_wiring() -> None:
    assert set(DESK_SETTINGS.values()) == {
        *("language", "led.brightness", "buzzer.enabled"),
        *("director.players_choose_rulebook", "director.results"),
    }
