import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from kiosk import settings as places
from kiosk.cli.main import main
from kiosk.settings import LAYERS, Settings, merge

S = 1_000_000_000


def _config(*words: str) -> Result:
    return CliRunner().invoke(main, ["config", *words], catch_exceptions=False)


@pytest.fixture(autouse=True)
def machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setattr(places, "SYSTEM_FILE", tmp_path / "system.toml")
    monkeypatch.setattr(places, "BOOT_FILES", (tmp_path / "new boot.toml", tmp_path / "old boot.toml"))
    return tmp_path


def test_a_machine_without_files_has_the_defaults_and_nobody_changed_anything() -> None:
    found = LAYERS.load({"rulebook": None})
    assert found.settings == Settings()
    assert not found.origins
    assert _config("--changed").output == "# Nothing differs from the defaults.\n"
    assert tomllib.loads(_config("--changed").stdout) == {}


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
    assert LAYERS.load({}, tmp_path / "again.toml").settings == merge([("options", {"name": "Ñandú"})]).settings
    assert tomllib.loads(printed)["flow"]["idle_s"] == 45


RELATIVE = """
rulebook = "own/club.toml"
own_rulebooks = ["../ours.toml", "naspa-2012", "/srv/theirs.toml"]
lexicon.path = "club.dawg"
lexicon.folder = "lists"
lexicon.alphabet = "own.toml"
log.path = "station.db"
log.export = "out"
board.file = "boards/own"
printer.port = "slips"
"""


def test_paths_in_a_file_begin_there_and_names_of_what_is_shipped_stay_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder := tmp_path / "etc").mkdir()
    (folder / "station.toml").write_text(RELATIVE)
    monkeypatch.chdir(tmp_path)
    for file in (folder / "station.toml", Path("etc/station.toml")):
        found = LAYERS.load({}, file).settings
        assert found.rulebook == f"{folder}/own/club.toml"
        assert found.own_rulebooks == (f"{folder}/../ours.toml", "naspa-2012", "/srv/theirs.toml")
        assert (found.lexicon.path, found.lexicon.folder) == (f"{folder}/club.dawg", f"{folder}/lists")
        assert found.lexicon.alphabet == f"{folder}/own.toml"
        assert (found.log.path, found.log.export) == (f"{folder}/station.db", f"{folder}/out")
        assert (found.board.file, found.printer.port) == (f"{folder}/boards/own", f"{folder}/slips")
