"""The station's settings: layers, who changed what, and every kind of bad value named with its file, key, value and what is allowed."""

import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from pydantic import BaseModel

from kiosk.challenge.standing import Limits
from kiosk.cli.main import main
from kiosk.settings import Settings, layers, load_settings
from kiosk.settings.layers import merge
from kiosk.settings.limits import limits
from kiosk.shell.pin import hashed

S = 1_000_000_000


def _config(*words: str) -> Result:
    done = CliRunner().invoke(main, ["config", *words])
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done


@pytest.fixture(autouse=True)
def machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A machine of its own: where the system's file and the boot partition's two would be."""
    monkeypatch.setattr(layers, "SYSTEM_FILE", tmp_path / "system.toml")
    monkeypatch.setattr(layers, "BOOT_FILES", (tmp_path / "new boot.toml", tmp_path / "old boot.toml"))
    return tmp_path


def test_a_machine_without_files_has_the_defaults_and_nobody_changed_anything() -> None:
    found = load_settings({"rulebook": None})
    assert found.settings == Settings()
    assert not found.origins
    assert _config("--changed").output == ""


def test_the_defaults_are_the_flows_own() -> None:
    assert limits(Settings()) == Limits()


def test_seconds_and_minutes_reach_the_flow_as_nanoseconds() -> None:
    options = {
        "flow.count_first": False,
        "flow.idle_s": 15,
        "flow.verdict_s": 1,
        "flow.least_ms": 750,
        "flow.repeat_minutes": 5,
        "flow.repeats": 0,
        "flow.director_s": 60,
        "flow.judge_unlogged": True,
    }
    asked = limits(merge([("options", options)]).settings)
    assert asked == Limits(False, 15 * S, S, 750_000_000, 300 * S, 0, 60 * S, True)


def test_the_boot_partition_overrides_the_system_and_the_options_override_both(machine: Path) -> None:
    (machine / "system.toml").write_text('name = "Hall A"\nrulebook = "club"\n[screen]\nwidth = 1024\n')
    (machine / "old boot.toml").write_text('name = "Hall B"\n[screen]\nheight = 600\n')
    done = _config("--changed", "--large-text", "--keyboard", "azerty")
    assert done.stdout.splitlines() == [
        f'name = "Hall B"  # {machine / "old boot.toml"}',
        f'rulebook = "club"  # {machine / "system.toml"}',
        'keyboard = "azerty"  # options',
        f"screen.width = 1024  # {machine / 'system.toml'}",
        f"screen.height = 600  # {machine / 'old boot.toml'}",
        "screen.large_text = true  # options",
    ]


def test_what_config_prints_is_toml_that_says_the_same(tmp_path: Path) -> None:
    printed = _config("--name", "Ñandú").stdout
    (tmp_path / "again.toml").write_text(printed, encoding="utf-8")
    assert load_settings({}, tmp_path / "again.toml").settings == merge([("options", {"name": "Ñandú"})]).settings
    assert tomllib.loads(printed)["flow"]["idle_s"] == 45


BAD = [
    ('nam = "x"', ("nam is no setting", "name", "language")),
    ("name = 7", ("name is 7", "string")),
    ('name = ""', ("name is ",)),
    ('name = " x"', ("name is ",)),
    ('name = "%s"' % ("x" * 41), ("name is ", "40")),
    ('keyboard = "dvorak"', ('keyboard is "dvorak"', "abc", "qwerty", "azerty", "qwertz", "auto")),
    ('[screen]\nkind = "terminal"', ('screen.kind is "terminal"', "window", "none")),
    ("[screen]\nwidth = 319", ("screen.width is 319", "320")),
    ("[screen]\nmillimetres = 5", ("screen.millimetres is 5", "50")),
    ('[screen]\nleft_handed = "yes"', ('screen.left_handed is "yes"', "boolean")),
    ("[flow]\nidle_s = 14", ("flow.idle_s is 14", "15")),
    ("[flow]\nidle_s = 601", ("flow.idle_s is 601", "600")),
    ("[flow]\nidle_s = 45.5", ("flow.idle_s is 45.5", "integer")),
    ("[flow]\nverdict_s = 0", ("flow.verdict_s is 0", "1")),
    ("[flow]\nleast_ms = 499", ("flow.least_ms is 499", "500")),
    ("[flow]\nrepeats = -1", ("flow.repeats is -1", "0")),
    ("[flow]\njudge_unlogged = 1", ("flow.judge_unlogged is 1", "boolean")),
    ('[lexicon]\nsha256 = "XYZ"', ('lexicon.sha256 is "XYZ"', "pattern")),
    ("[log]\npath = 3", ("log.path is 3", "string")),
    ('[door]\npin = "1234"', ('door.pin is "1234"', "tilekiosk config pin")),
    ('[door]\npin = "scrypt$16383$8$1$AAAA$AAAA"', ("door.pin is ", "tilekiosk config pin")),
    ('[door]\npin = "scrypt$1048576$8$1$AAAA$AAAA"', ("door.pin is ", "tilekiosk config pin")),
    ('[door]\npin = "scrypt$16384$8$1$A$AAAA"', ("door.pin is ", "tilekiosk config pin")),
    ('[board]\npins = "pigpio"', ('board.pins is "pigpio"', "lgpio", "rpigpio", "mock", "none")),
    ("[printer]\nwidth = 5", ("printer.width is 5", "20")),
    ('[printer]\nflow = "yes"', ('printer.flow is "yes"', "rts", "xon")),
    ("own_rulebooks = [1]", ("own_rulebooks.0 is 1", "string")),
    ("flow = 3", ("flow is 3",)),
    ("name = ", ("expected TOML",)),
]


@pytest.mark.parametrize(("text", "named"), BAD, ids=[text.replace("\n", " ")[:40] for text, _ in BAD])
def test_a_bad_value_is_told_with_its_file_its_key_what_was_found_and_what_is_allowed(
    tmp_path: Path, text: str, named: tuple[str, ...]
) -> None:
    path = tmp_path / "station.toml"
    path.write_text(text)
    done = _config("--settings", str(path))
    assert done.exit_code == 2
    assert done.stderr.startswith(f"tilekiosk: {path}: ")
    assert done.stderr.count("\n") == 1
    assert [word for word in named if word not in done.stderr] == []


def test_a_pin_as_it_is_kept_is_taken_and_none_is_allowed() -> None:
    kept = hashed("4711")
    assert merge([("options", {"door.pin": kept})]).settings.door.pin == kept
    assert merge([("options", {"door.pin": ""})]).settings.door.pin == ""


def test_nothing_can_be_changed_afterwards() -> None:
    def frozen(model: BaseModel) -> bool:
        return bool(model.model_config["frozen"]) and all(frozen(each) for _, each in model if isinstance(each, BaseModel))

    assert frozen(Settings())
