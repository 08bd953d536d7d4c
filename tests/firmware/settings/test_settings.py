"""Settings: layers, who changed what, and every kind of bad value named with its file, key, value and what is allowed."""

import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner

from firmware.cli.main import main
from firmware.settings import Settings, SettingsError, load_settings, places
from firmware.settings.places import dump, merge
from tests.errors import refused, with_fields


def _file(folder: Path, text: str, name: str = "clock.toml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A machine of its own: where the system's file and the boot partition's two would be."""
    monkeypatch.setattr(places, "SYSTEM_FILE", tmp_path / "system.toml")
    monkeypatch.setattr(places, "BOOT_FILES", (tmp_path / "new boot.toml", tmp_path / "old boot.toml"))
    return tmp_path


@pytest.mark.usefixtures("machine")
def test_a_machine_without_files_has_the_defaults_and_nobody_changed_anything() -> None:
    found = load_settings({"rulebook": None})
    assert found.settings == Settings()
    assert not found.origins


def test_the_boot_partition_overrides_the_system_and_the_options_override_both(machine: Path) -> None:
    system = _file(machine, 'rulebook = "club"\nlanguage = "en"\n[screen]\nlayout = "single"\nwidth = 800\n', "system.toml")
    boot = _file(machine, '[screen]\nlayout = "side_by_side"\nheight = 480\n', "old boot.toml")
    found = load_settings({"screen.height": 600})
    screen = found.settings.screen
    assert (found.settings.rulebook, screen.layout, screen.width, screen.height) == ("club", "side_by_side", 800, 600)
    assert found.origins == {
        **dict.fromkeys(("rulebook", "language", "screen.width"), str(system)),
        "screen.layout": str(boot),
        "screen.height": "options",
    }


def test_the_newer_place_of_the_boot_partition_is_taken_before_the_older(machine: Path) -> None:
    _file(machine, 'rulebook = "club"\n', "old boot.toml")
    _file(machine, 'rulebook = "nzasp-2022"\n', "new boot.toml")
    assert load_settings({}).settings.rulebook == "nzasp-2022"


def test_a_file_that_is_named_stands_in_place_of_the_machines_own(machine: Path) -> None:
    _file(machine, 'rulebook = "club"\n', "system.toml")
    assert load_settings({}, _file(machine, "[screen]\nwidth = 640\n")).settings == merge([("f", {"screen.width": 640})]).settings


def test_a_value_where_a_table_belongs_is_blamed_on_its_own_file_whatever_the_options_say(tmp_path: Path) -> None:
    path = _file(tmp_path, "board = 3")
    done = CliRunner().invoke(main, ["config", "--settings", str(path), "--pins", "none"])
    refused(done, where=f"{path}: board")


@pytest.mark.parametrize(
    ("first", "then", "keys"),
    [
        ('board.file = "full"', "[board.file]\ny = 1", ("board.file", "board.file.y")),
        ("sreen = 3", "[sreen]\nx.y = 1", ("sreen", "sreen.x.y")),
        ("board = 3", '[board]\npins = "none"', ("board", "board.pins")),
    ],
)
def test_a_value_in_one_file_and_a_table_in_the_next_are_told_with_both_files(
    machine: Path, first: str, then: str, keys: tuple[str, str]
) -> None:
    system, boot = _file(machine, first, "system.toml"), _file(machine, then, "new boot.toml")
    done = CliRunner().invoke(main, ["config"])
    refused(done, where=f"{system}: {keys[0]}", expected=f"a table, as {keys[1]} in {boot} has it")


def test_three_buttons_may_change_places_in_a_ring() -> None:
    remap = {"up": "down", "down": "ok", "ok": "up"}
    assert merge([("f", {"board.remap": remap})]).settings.board.remap == remap


@pytest.mark.parametrize("content", [b"\xff\xfe", b"rulebook = '\x80'"])
def test_a_file_that_is_no_text_is_refused_by_name(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "clock.toml"
    path.write_bytes(content)
    with pytest.raises(SettingsError, check=with_fields(where=str(path), expected="TOML in UTF-8")):
        load_settings({}, path)


def test_a_file_that_is_not_there_and_one_that_is_a_folder_are_refused_by_name(tmp_path: Path) -> None:
    for path in (tmp_path / "none.toml", tmp_path):
        with pytest.raises(SettingsError, check=with_fields(where=str(path), expected="settings")):
            load_settings({}, path)


def test_a_bad_option_is_said_to_be_one() -> None:
    with pytest.raises(SettingsError, check=with_fields(where="options: screen.layout", found='"wide"')):
        merge([("options", {"screen.layout": "wide"})])


def test_the_printed_settings_are_toml_that_gives_the_same_settings(tmp_path: Path) -> None:
    text = 'own_rulebooks = ["é.toml"]\nlanguage = "en"\n[board]\nfile = "two-button"\n[board.remap]\nleft = "right"\nright = "left"\n'
    layered = load_settings({"screen.width": 640}, _file(tmp_path, text))
    printed = "\n".join(f"{key} = {value}" for key, value, _ in dump(layered))
    again = _file(tmp_path, printed, "again.toml")
    assert tomllib.loads(printed)
    assert load_settings({}, again).settings == layered.settings


def test_changed_prints_what_differs_from_the_defaults_with_where_it_comes_from_and_nothing_else(tmp_path: Path) -> None:
    path = _file(tmp_path, '[screen]\nlayout = "single"\nkind = "window"\n')
    done = CliRunner().invoke(main, ["config", "--changed", "--settings", str(path), "--buzzer"])
    assert done.exit_code == 0
    assert done.stdout.splitlines() == [f'screen.layout = "single"  # {path}', "buzzer.enabled = true  # options"]


def test_config_prints_every_setting_with_its_default(tmp_path: Path) -> None:
    done = CliRunner().invoke(main, ["config", "--settings", str(_file(tmp_path, ""))])
    assert 'rulebook = "naspa-2017"' in done.stdout.splitlines()
    assert len(done.stdout.splitlines()) == len(list(dump(merge([]))))
