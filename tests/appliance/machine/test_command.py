"""``config machine`` of both programs: what the settings say of the machine is put into force, or a sentence says why not."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

import firmware.cli.main
import kiosk.cli.main
from appliance.errors import MachineError
from appliance.machine import apply as applying
from tests.errors import refused


@pytest.mark.parametrize(("verbs", "program"), [(firmware.cli.main.main, "tileclock"), (kiosk.cli.main.main, "tilekiosk")])
def test_on_another_system_than_the_card_it_says_what_it_expected(
    verbs: click.Group, program: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "state"))
    monkeypatch.setattr(applying, "MACHINE_ID", tmp_path / "machine-id")
    called: dict[str, Any] = {"args": ["config", "machine"], "prog_name": program}
    done = CliRunner().invoke(verbs, **called)
    where, expected = str(tmp_path / "machine-id"), "to write the machine's settings as root on a card made by `make image`"
    assert isinstance(refused(done, where=where, expected=expected, found=re.compile("^no such file")), MachineError)
    assert "settings taken: all at their defaults" in done.stdout
