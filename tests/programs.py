"""Clock and station as one thing: what a test of both needs to know of each, so that it is written once."""

from pathlib import Path
from types import ModuleType
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result
from msgspec import Struct

import firmware.settings
import kiosk.settings
from appliance.cli.config import SettingsSource
from firmware.cli.main import SETTINGS as CLOCK_SETTINGS
from firmware.cli.main import main as tileclock
from kiosk.cli.main import SETTINGS as STATION_SETTINGS
from kiosk.cli.main import main as tilekiosk


class Program(Struct, frozen=True, dict=True):
    name: str
    package: str
    main: click.Command
    settings: SettingsSource[Any]
    places: ModuleType
    record: str
    """What it records to: journal or log; also the name of the verb, of the option and of the settings' table."""

    def run(self, *words: str | Path, stdin: str | None = None) -> Result:
        """Run a verb; an exception is the test's."""
        done = CliRunner().invoke(self.main, list(map(str, words)), input=stdin)
        if done.exception is not None and not isinstance(done.exception, SystemExit):
            raise done.exception
        return done

    def own_places(self, monkeypatch: pytest.MonkeyPatch, folder: Path) -> Path:
        """Look for settings in ``folder`` only, and save copies below ``state``; return the boot partition's file, which is not there yet."""
        file = folder / f"{self.name}.toml"
        monkeypatch.setattr(self.places, "SYSTEM_FILE", folder / "system.toml")
        monkeypatch.setattr(self.places, "BOOT_FILES", (file,))
        monkeypatch.setenv("STATE_DIRECTORY", str(folder / "state"))
        return file


CLOCK = Program("tileclock", "firmware", tileclock, CLOCK_SETTINGS, firmware.settings, "journal")
STATION = Program("tilekiosk", "kiosk", tilekiosk, STATION_SETTINGS, kiosk.settings, "log")
both_programs = pytest.mark.parametrize("program", [CLOCK, STATION], ids=lambda program: program.name)
