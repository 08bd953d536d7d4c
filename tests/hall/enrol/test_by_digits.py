"""A device asks, shows digits, and is admitted by the director who types them: real programs, real TLS, files for the device's own programs."""

from __future__ import annotations

import re
import stat
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware.shell.hall import load_trust
from hall.broker import plan_of
from hall.enrol.device import DevicePlaces, is_enrolled
from hall.keys.authority import read_holder
from kiosk.shell.hall import ClockLine
from tests.hall.client import connected
from tests.hall.enrol.admitting import TILEHALL, Admitting, admitting, device, make_hall, tilehall
from tests.installed import require
from tests.processes import running
from tools.trial_broker import running_broker
from wire.keys import load_key
from wire.topics import CLOCK, Topics


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Admitting]:
    folder = tmp_path_factory.mktemp("admitting")
    with admitting(make_hall(folder / "hall"), folder) as found:
        yield found


def shown(process: subprocess.Popen[str]) -> str:
    """Return the digits that a device shows."""
    assert process.stdout is not None
    for line in process.stdout:
        if found := re.fullmatch(r" {4}(\d{4}-\d{4})\n", line):
            return found[1]
    raise AssertionError(process.communicate()[1])


def enrolled(hall: Admitting, places: DevicePlaces) -> str:
    """Enrol a device by digits; return what it says at the end."""
    with running(TILEHALL, *hall.asking(places)) as asking:
        done = hall.director(shown(asking))
        assert done.returncode == 0, done.stderr
        said, wrong = asking.communicate()
        assert asking.returncode == 0, wrong
    return said


def test_a_clock_that_is_admitted_trusts_the_hall_and_its_director(hall: Admitting, tmp_path: Path) -> None:
    places = device(tmp_path)
    own = load_key(places.key, CLOCK)
    said = enrolled(hall, places)
    assert f"{own.device} is admitted to hall club" in said
    trust = load_trust(places.trust)
    assert trust is not None
    assert (trust.hall, trust.hall_key, trust.director_key) == ("club", hall.files.authority.public, hall.files.director_public())
    assert is_enrolled(places, hall.pin)
    # Both keys stay with their owner; the hall has neither.
    assert [stat.S_IMODE(path.stat().st_mode) for path in (places.key, places.identity.key)] == [0o600, 0o640]
    assert not hall.files.identity(own.device).key.exists()


def test_the_broker_takes_the_certificate_and_a_station_may_hear_the_clocks(hall: Admitting, tmp_path: Path) -> None:
    require("mosquitto")
    places = device(tmp_path, "tilekiosk")
    enrolled(hall, places)
    plan = plan_of(hall.files)
    name = read_holder(places.identity.certificate).name
    assert plan.stations == (name,)
    assert f"user {name}\n" in (hall.files.folder / "acl").read_text(encoding="ascii")
    line = ClockLine(places.trust, lambda _: True, lambda _: None, lambda: 0)
    assert (line._hall, line._credential is None) == ("club", False)
    with running_broker(tmp_path / "broker", plan) as broker, connected(broker, places.identity) as client:
        assert client.publish(Topics("club").of_device(name, "state")) < 0x80


def test_the_director_sees_who_waits_and_wrong_digits_admit_nobody(hall: Admitting, tmp_path: Path) -> None:
    with running(TILEHALL, *hall.asking(device(tmp_path, table=7))) as asking:
        digits = shown(asking)
        listed = hall.director()
        assert re.search(rf"^{digits}   clock · table 7   c-\w+   from 127\.0\.0\.1, for \d+ s$", listed.stdout, re.MULTILINE)
        wrong = f"{(int(digits[:4]) + 1) % 10_000:04}{digits[4:]}"
        denied = hall.director(wrong)
        assert (denied.returncode, denied.stdout) == (1, "")
        assert "intercepting the connection" in denied.stderr
        assert asking.poll() is None


def test_a_device_that_has_gone_waits_no_more(hall: Admitting, tmp_path: Path) -> None:
    with running(TILEHALL, *hall.asking(device(tmp_path))) as asking:
        digits = shown(asking)
        asking.kill()
        asking.wait()
    while digits in hall.director().stdout:
        pass
    assert hall.director(digits).returncode == 1


def test_without_the_service_the_director_gets_a_sentence(tmp_path: Path) -> None:
    done = tilehall("admit", "--socket", str(tmp_path / "none"))
    assert done.returncode == 2
    assert "sudo systemctl start tilehall-admissions" in done.stderr
    assert tilehall("admit", "123", "--socket", str(tmp_path / "none")).returncode == 2
