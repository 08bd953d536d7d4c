"""The director's order to update, the whole way: from a signed order at the clock's socket to the packages of a signed source, and back to a clock that plays."""

from collections.abc import Iterator
from contextlib import closing
from typing import Any, Final

import pytest

from tests.firmware.shell.rig import LiveClock
from tests.firmware.shell.test_hall import Hall
from tests.machine.figures import Figures
from tests.machine.package_source import make_key, publish
from tests.packaged import container
from tests.packaged.container import CONSOLE, Machine
from tests.packaged.packages import HIGHER, Debian, copy_of, debian, files, higher, packages
from tests.processes import until
from tests.wire.local.served import greet
from wire.local.client import DeviceClient

CLOCK: Final = "tileclock.service"
UPDATE: Final = "tileclock-update.service"
SETTINGS: Final = 'board.pins = "mock"\nscreen.kind = "terminal"\nhall.enabled = true\nhall.updates = true\n'
BEGUN: Final = "/var/lib/tileclock-update/begun"
pytestmark = pytest.mark.timeout(1800)


@pytest.fixture(scope="module")
def installed() -> Iterator[Debian]:
    """A root with the packages, whose owner lets the desk update it from a source with newer ones."""
    with debian("trixie") as root:
        root.install(packages("trixie"))
        root.at("/etc/tileclock/clock.toml").write_text(SETTINGS, encoding="utf-8")
        drop_in = root.at("/etc/systemd/system/tileclock.service.d/screen.conf")
        drop_in.parent.mkdir(parents=True)
        drop_in.write_text(CONSOLE, encoding="utf-8")
        root.run("systemctl", "disable", "tilekiosk.service")
        root.run("systemctl", "mask", "console-getty.service", "apt-daily.timer", "apt-daily-upgrade.timer")
        for each in (*root.at("/etc/apt/sources.list.d").iterdir(), root.at("/etc/apt/sources.list")):
            each.unlink(missing_ok=True)
        root.at("/etc/apt/sources.list").write_text("deb [signed-by=/etc/source.gpg] copy:/source ./\n", encoding="utf-8")
        key = make_key(root.at("/keys"))
        root.at("/etc/source.gpg").write_bytes(key.read_bytes())
        source = root.at("/source")
        source.mkdir()
        for deb in files(higher(packages("trixie"))):
            (source / deb.name).write_bytes(deb.read_bytes())
        publish(source, root.at("/keys"))
        yield root


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    # Installing takes longer than all else that is waited for.
    monkeypatch.setattr(container, "PATIENCE_S", 600.0)


def version(root: Debian) -> str:
    return root.run("dpkg-query", "--show", "--showformat=${Version} ${db:Status-Status}", "tileclock").stdout


def ordered(machine: Machine, hall: Hall) -> tuple[str | None, str | None]:
    with closing(DeviceClient(machine.outside("/run/tileclock/hall.sock"))) as client:
        greet(client)
        nothing: Any = None
        clock = LiveClock(hall.folder, nothing, nothing, client)
        until(lambda: clock.value("state") is not None, "the state")
        answer = hall.order(clock, "update")
        beat = next(each for each in reversed(clock.heard) if each["t"] == "beat")
        return answer["reason"], beat["update"]


def comes_back(machine: Machine, before: int, outcome: str) -> int:
    outcome_file = machine.outside("/run/tileclock-update/outcome")
    after = machine.ready(CLOCK, but=before)
    machine.until(lambda: machine.of_unit(UPDATE, "ActiveState")["ActiveState"] in ("inactive", "failed"), "the unit to end")
    assert outcome_file.read_text(encoding="ascii").strip() == outcome, machine.said(UPDATE)
    return after


def test_a_clock_comes_back_with_what_its_own_source_offers_and_comes_back_where_that_fails(installed: Debian, figures: Figures) -> None:
    with copy_of(installed) as root, Machine(root.path) as machine:
        hall = Hall(root.at("/var/lib/tileclock"))
        first = machine.ready(CLOCK)
        assert HIGHER not in version(root)
        assert ordered(machine, hall) == (None, None)
        second = comes_back(machine, first, "installed")
        assert version(root) == f"{HIGHER} installed"
        figures.add(f"{UPDATE}, from its start to the clock's: {machine.took_s(UPDATE, 'InactiveEnter'):.0f} s")
        # Nothing newer: the clock only starts again.
        assert ordered(machine, hall) == (None, "installed")
        third = comes_back(machine, second, "nothing")
        root.at("/source/InRelease").unlink()
        assert ordered(machine, hall) == (None, "nothing")
        fourth = comes_back(machine, third, "failed")
        assert "no longer signed" in machine.inside("journalctl", "--no-pager", "--identifier=tileclock-update")
        # A game that has begun keeps it away.
        machine.type("l")
        machine.until(lambda: "press right" in machine.inside("tileclock", "journal", "show"), "the game to begin")
        assert ordered(machine, hall) == ("not_between_games", "failed")
        assert machine.pid(CLOCK) == fourth
        assert machine.inside("tileclock", "journal", "verify")


def test_a_power_cut_while_the_files_are_replaced_is_completed_at_the_boot_before_the_clock_starts(installed: Debian) -> None:
    with copy_of(installed) as root:
        hall = Hall(root.at("/var/lib/tileclock"))
        with Machine(root.path) as machine:
            machine.ready(CLOCK)
            assert ordered(machine, hall) == (None, None)
            machine.until(lambda: half_installed(root), "dpkg to be in the middle of a package")
            machine.cut()
        assert root.at(BEGUN).exists()
        assert root.run("dpkg", "--audit").stdout != ""
        # Out of reach: what has been downloaded is enough.
        root.at("/source").rename(root.at("/gone"))
        with Machine(root.path) as machine:
            machine.ready(CLOCK)
            assert version(root) == f"{HIGHER} installed"
            assert root.run("dpkg", "--audit").stdout == ""
            assert not root.at(BEGUN).exists()
            assert machine.outside("/run/tileclock-update/outcome").read_text(encoding="ascii") == "installed\n"


def half_installed(root: Debian) -> bool:
    for each in root.at("/var/lib/dpkg/updates").glob("[0-9]*"):
        try:
            found = each.read_text(encoding="utf-8", errors="replace")
        except FileNotFoundError:
            continue
        if found.startswith("Package: tileclock-common\n") and "half-installed" in found:
            return True
    return False
