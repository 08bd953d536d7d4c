"""The broker announces itself, and a link without an address finds it: real mDNS on the loopback. What is found is a hint: the CA decides."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from hall.broker import plan_of
from hall.keys.files import HallFiles
from tests.hall.enrol.admitting import ADDRESS, TILEHALL, Admitting, admitting, make_hall, tilehall
from tests.hall.link.linked import LinkedDevice, served
from tests.installed import require
from tests.processes import running, until
from tools.trial_broker import Broker, running_broker

CLOCK = "c-aaaaaaaaaaaaaaaa"


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> HallFiles:
    # A name of its own: other halls may announce themselves on this machine.
    folder = tmp_path_factory.mktemp("finding")
    return make_hall(folder / "hall", f"club-{folder.parent.name[-20:].lower().replace('_', '-')}")


@pytest.fixture(scope="module")
def broker(files: HallFiles, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Broker]:
    require("mosquitto")
    files.admit(CLOCK)
    with running_broker(tmp_path_factory.mktemp("broker"), plan_of(files)) as found:
        yield found


@pytest.fixture(scope="module")
def announcing(files: HallFiles, broker: Broker, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Admitting]:
    folder = tmp_path_factory.mktemp("admitting")
    settings = folder / "hall.toml"
    settings.write_text(f"[broker]\nport = {broker.port}\n", encoding="utf-8")
    with admitting(files, folder, "--settings", str(settings)) as found:
        assert found.process.stdout is not None
        assert any("announced" in line for line in iter(found.process.stdout.readline, ""))
        yield found


def test_the_announcement_names_hall_fingerprint_and_both_ports(announcing: Admitting, broker: Broker) -> None:
    hall = announcing.files.authority.hall
    done = tilehall("find", "--for", hall, "--from", ADDRESS)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found == {"hall": hall, "fingerprint": announcing.pin, "host": ADDRESS, "port": broker.port, "enrol_port": announcing.port}


def test_a_link_without_an_address_finds_its_hall(announcing: Admitting, tmp_path: Path) -> None:
    settings, socket = tmp_path / "tilehall.toml", tmp_path / "hall.sock"
    settings.write_text(f'[broker]\nlook_from = "{ADDRESS}"\n', encoding="utf-8")
    clock, folder = LinkedDevice(CLOCK), announcing.files.identity(CLOCK).key.parent
    words = ("--folder", str(folder), "--settings", str(settings), "--socket", str(socket))
    with served(clock, socket), running(TILEHALL, "link", *words):
        until(lambda: any(state.up for state in clock.states), "the connection")


def test_a_hall_that_takes_the_name_of_another_gets_no_link(announcing: Admitting, tmp_path: Path) -> None:
    # The link looks for its hall by name, finds this machine, and leaves it by its certificate.
    other = make_hall(tmp_path / "hall", announcing.files.authority.hall)
    settings, socket = tmp_path / "tilehall.toml", tmp_path / "hall.sock"
    settings.write_text(f'[broker]\nlook_from = "{ADDRESS}"\n', encoding="utf-8")
    clock = LinkedDevice(CLOCK)
    words = ("--folder", str(other.admit(CLOCK).key.parent), "--settings", str(settings), "--socket", str(socket))
    with served(clock, socket), running(TILEHALL, "link", *words):
        until(lambda: any("a certificate of another CA" in state.why for state in clock.states), "the refusal")
        assert not any(state.up for state in clock.states)


def test_where_no_broker_announces_itself_there_is_none(announcing: Admitting) -> None:
    done = tilehall("find", "--for", "no-such-hall", "--from", ADDRESS)
    assert (done.returncode, done.stdout) == (1, "")
