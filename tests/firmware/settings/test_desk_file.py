"""What the desk has ordered: below the owner's files, above the defaults, kept over a restart, and never in the way of a start."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from firmware.cli.options import SETTINGS
from firmware.settings import places
from firmware.settings.desk_file import DeskFile, desk_file, desk_path
from firmware.texts import load_texts
from wire.proposals import DESK_SETTINGS, SettingValue

FRENCH: dict[str, SettingValue] = {"language": "fr", "led.brightness": 40, "buzzer.enabled": True}


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A machine of its own, with a state folder that is not made yet."""
    monkeypatch.setattr(places, "SYSTEM_FILE", tmp_path / "system.toml")
    monkeypatch.setattr(places, "BOOT_FILES", (tmp_path / "boot.toml",))
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "state"))
    return tmp_path


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
    (machine / "boot.toml").write_text('language = "es"\n[screen]\nwidth = 800\n', encoding="utf-8")
    found = SETTINGS.take({"led.brightness": 70})
    settings = found.settings
    assert (settings.language, settings.led.brightness, settings.buzzer.enabled) == ("es", 70, True)
    assert desk_file(found).on_card == {"language", "led.brightness"}


def test_a_file_that_is_named_lies_over_the_desks_too(machine: Path) -> None:
    desk_file(SETTINGS.take({})).keep(FRENCH)
    named = machine / "named.toml"
    named.write_text("[led]\nbrightness = 5\n", encoding="utf-8")
    settings = SETTINGS.take({}, named).settings
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
        (b'rulebook = "club"', "rulebook"),
        (b"hall.updates = true", "hall"),
        (b"led.brightness = " + b"[" * 3_000, "a fault"),
        (b"led.brightness = " + b"9" * 5_000, "a fault"),
        (b".".join([b"a"] * 2_000) + b" = 1", "a fault"),
        (b"# much\n" * 10_000 + b'language = "fr"', "70015"),
    ],
)
def test_a_spoiled_file_is_left_out_and_said_and_hinders_nothing(machine: Path, content: bytes, said: str) -> None:
    (machine / "boot.toml").write_text("[screen]\nwidth = 800\n", encoding="utf-8")
    desk_path().parent.mkdir()
    desk_path().write_bytes(content)
    found = SETTINGS.take({})
    assert (found.settings.language, found.settings.led.brightness, found.settings.screen.width) == ("en", 100, 800)
    assert found.refused is not None
    assert found.refused.own_file
    assert said in str(found.refused.why)
    assert "Send the settings again from the director's desk" in str(found.refused.why)
    # The next order makes a good file of it.
    desk_file(found).keep({"language": "fr"})
    assert (SETTINGS.take({}).settings.language, SETTINGS.take({}).refused) == ("fr", None)


def test_a_fault_of_the_desks_file_keeps_no_good_copy_of_the_owners_away(machine: Path) -> None:
    boot = machine / "boot.toml"
    desk_path().parent.mkdir()
    desk_path().write_bytes(b"x = 1")
    boot.write_text("[screen]\nwidth = 800\n", encoding="utf-8")
    SETTINGS.take({})
    boot.write_bytes(b"\0" * 80)
    found = SETTINGS.take({})
    assert found.settings.screen.width == 800
    assert found.refused is not None
    assert found.refused.last_good


@pytest.mark.usefixtures("machine")
def test_a_spoiled_file_is_told_in_the_language_of_the_clock() -> None:
    desk_path().parent.mkdir()
    for content, french in (
        (b'rulebook = "club"', "attendu\u00a0: réglages que le bureau de l'arbitre peut changer"),
        (b"#" * 9_000, "attendu\u00a0: 8192 octets au plus"),
    ):
        desk_path().write_bytes(content)
        refused = SETTINGS.take({}).refused
        assert refused is not None
        said = load_texts("fr").render(refused.why.sentences)
        assert french in said
        assert "Renvoyez les réglages depuis le bureau de l'arbitre" in said


def test_a_fault_of_the_owners_file_is_told_first_and_the_desks_settings_stay(machine: Path) -> None:
    desk_file(SETTINGS.take({})).keep(FRENCH)
    (machine / "boot.toml").write_text("x = 1", encoding="utf-8")
    found = SETTINGS.take({})
    assert found.settings.language == "fr"
    assert found.refused is not None
    assert not found.refused.own_file
    assert "boot.toml" in str(found.refused.why)


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
    assert set(DESK_SETTINGS.values()) == {"language", "led.brightness", "buzzer.enabled", "director.players_choose_rulebook"}
