"""What a program loads before its first picture, and what it must not: each of these takes its time from every start."""

from __future__ import annotations

import gc
import sys
from importlib import import_module
from pathlib import Path
from typing import Final

import pytest

from appliance.process import fast_startup, startup_done
from tests.processes import ready

NEEDLESS: Final = {
    "PIL": "slips, by escpos",
    "asyncio": "no part of ours; libraries for logging load it",
    "escpos": "slips",
    "firmware.doctor": "the self-test",
    "firmware.replay": "scripts",
    "firmware.screens.terminal": "a screen of its own kind",
    "hardware.electrics": "the check of a board",
    "hardware.buttons.self_test": "the self-test",
    "tools.wiring": "pictures",
    "kiosk.doctor": "the self-test, from the desk",
    "lexicon.formats": "other programs' word lists",
    "pygments": "rich",
    "rich": "tables, and the terminal's screen",
    "serial": "LED displays and the printer",
    "unittest": "tests",
    "yaml": "slips, by escpos",
}

PROGRAM: Final = """
import importlib, os, sys
from sdnotify import SystemdNotifier

notify = SystemdNotifier.notify
def notified(self, said):
    if said == "READY=1":
        print(*sys.modules, flush=True)
    notify(self, said)

SystemdNotifier.notify = notified
folder, verb = sys.argv[1:]
importlib.import_module("PACKAGE.cli.main").main([verb, "--pins", "mock", "KEPT", os.path.join(folder, "kept.db")])
"""


@pytest.mark.parametrize(("package", "kept"), [("firmware", "--journal"), ("kiosk", "--log")])
def test_nothing_is_loaded_before_the_first_picture_that_it_does_without(tmp_path: Path, package: str, kept: str) -> None:
    command = (sys.executable, "-c", PROGRAM.replace("PACKAGE", package).replace("KEPT", kept), str(tmp_path), "run")
    environment = {"SDL_VIDEODRIVER": "dummy", "STATE_DIRECTORY": str(tmp_path / "state")}
    with ready(command, tmp_path, **environment) as program:
        assert program.stdout is not None
        loaded = set(next(line for line in program.stdout if " builtins " in line).split())
    assert "appliance.display.pane" in loaded
    assert {name: NEEDLESS[name] for name in loaded & NEEDLESS.keys()} == {}


def test_the_collector_is_off_from_a_verbs_first_step_until_it_has_begun() -> None:
    seen: list[bool] = []

    @fast_startup
    def verb(first: int, *, second: int) -> int:
        seen.append(gc.isenabled())
        startup_done()
        seen.append(gc.isenabled())
        return first + second

    try:
        assert verb(1, second=2) == 3
        assert seen == [False, True]
        assert gc.get_freeze_count() > 0
    finally:
        gc.unfreeze()
        gc.enable()


def test_numpy_is_out_of_reach_until_then_though_it_is_installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "numpy.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "numpy", raising=False)

    @fast_startup
    def verb(*, begins: bool) -> None:
        with pytest.raises(ImportError):
            import_module("numpy")
        if begins:
            startup_done()
            import_module("numpy")

    try:
        verb(begins=False)
        assert "numpy" not in sys.modules
        verb(begins=True)
        assert sys.modules["numpy"].__file__ == str(tmp_path / "numpy.py")
    finally:
        gc.unfreeze()
        # It is an empty one: the libraries of other tests would take it for the real one.
        sys.modules.pop("numpy", None)
