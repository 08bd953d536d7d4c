"""Which certificates open which connection: a foreign authority, ended and revoked ones, and one used for something else than its purpose."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from hall.broker import BrokerCertificates
from hall.keys.authority import Authority
from hall.keys.files import Identity, identity_in
from tests.hall.client import connected
from tests.hall.conftest import TrialHall, new_hall
from tests.hall.link.linked import LinkedDevice, link, served
from tests.processes import until
from tools.trial_broker import Broker, complete_hall, running_broker
from wire.topics import Topics

pytestmark = pytest.mark.waits(12)


def why_not(identity: Identity, broker: Broker, device: str, folder: Path) -> str:
    """Return what the link's sign says to a device with this certificate."""
    served_device = LinkedDevice(device)
    with served(served_device, folder / "hall.sock"), link(identity, broker, folder / "hall.sock"):
        until(lambda: any("answered yet" not in state.why for state in served_device.states), "a reason")
        assert not any(state.up for state in served_device.states)
        return next(state.why for state in served_device.states if "answered yet" not in state.why)


def with_certificate(hall: TrialHall, folder: Path, authority: Authority, until_: datetime, device: str) -> Identity:
    """Return a device's folder with a certificate made for this test."""
    folder.mkdir()
    key = Ed25519PrivateKey.generate()
    identity = identity_in(folder)
    identity.certificate.write_bytes(authority.device(device, key.public_key(), until_).public_bytes(Encoding.PEM))
    identity.key.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    shutil.copy(hall.files.ca, identity.ca)
    return identity


def test_the_broker_of_another_hall_is_not_used(broker: Broker, trial_hall: TrialHall, tmp_path: Path) -> None:
    other = complete_hall(tmp_path / "other", clocks=0, stations=0).files
    said = why_not(other.admit(trial_hall.clock), broker, trial_hall.clock, tmp_path)
    assert said == "Expected the broker of hall trial, found a certificate of another CA."


@pytest.mark.parametrize("name", ["trial", "other"])
def test_a_device_of_another_hall_is_refused(broker: Broker, trial_hall: TrialHall, tmp_path: Path, name: str) -> None:
    foreign = Authority.new(name, datetime.now(UTC))
    identity = with_certificate(trial_hall, tmp_path / "device", foreign, datetime.now(UTC) + timedelta(days=9), trial_hall.clock)
    said = why_not(identity, broker, trial_hall.clock, tmp_path)
    assert said == f"The broker takes this device's certificate for that of another hall than {name}; enrol it again."


def test_an_ended_certificate_is_refused_with_its_day(broker: Broker, trial_hall: TrialHall, tmp_path: Path) -> None:
    ended = datetime.now(UTC) - timedelta(days=2)
    identity = with_certificate(trial_hall, tmp_path / "device", trial_hall.files.authority, ended, trial_hall.clock)
    said = why_not(identity, broker, trial_hall.clock, tmp_path)
    assert said == f"This device's certificate ended on {ended:%Y-%m-%d}; enrol it again."


def test_a_revoked_device_is_refused_after_a_reload_and_the_others_stay(tmp_path: Path) -> None:
    hall = new_hall(tmp_path / "hall")
    files, plan = hall.files, hall.plan
    with (
        running_broker(tmp_path / "broker", plan) as broker,
        connected(broker, files.identity(hall.other_clock)) as other,
    ):
        with connected(broker, files.identity(hall.clock)):
            pass
        lost = identity_in(tmp_path / "lost")
        shutil.copytree(files.identity(hall.clock).key.parent, lost.key.parent)
        files.revoke(hall.clock)
        broker.reload()
        until(lambda: "Reloading config" in broker.log(), "the reload")
        said = why_not(lost, broker, hall.clock, tmp_path)
        assert said == "This device's certificate is revoked; enrol it again."
        assert other.publish(Topics(plan.hall).of_device(hall.other_clock, "state")) < 0x80
        assert other.ended == []


def test_a_device_cannot_pass_for_the_broker(trial_hall: TrialHall, tmp_path: Path) -> None:
    mine = trial_hall.files.identity(trial_hall.other_clock)
    tls = BrokerCertificates(mine.ca, mine.certificate, mine.key, trial_hall.files.revocations)
    with running_broker(tmp_path / "broker", replace(trial_hall.plan, tls=tls)) as impostor:
        said = why_not(trial_hall.files.identity(trial_hall.clock), impostor, trial_hall.clock, tmp_path)
    assert said == "Expected the broker of hall trial, found the certificate of another device of it."


def test_the_brokers_certificate_is_good_for_no_client(broker: Broker, trial_hall: TrialHall, tmp_path: Path) -> None:
    identity = with_certificate(
        trial_hall, tmp_path / "device", trial_hall.files.authority, datetime.now(UTC) + timedelta(days=9), trial_hall.clock
    )
    shutil.copy(trial_hall.files.broker.certificate, identity.certificate)
    shutil.copy(trial_hall.files.broker.key, identity.key)
    with pytest.raises((OSError, AssertionError)), connected(broker, identity, patience_s=5):
        pass


def test_the_certificate_of_another_device_is_not_used(broker: Broker, trial_hall: TrialHall, tmp_path: Path) -> None:
    socket = tmp_path / "hall.sock"
    with served(LinkedDevice(trial_hall.clock), socket), link(trial_hall.files.identity(trial_hall.other_clock), broker, socket) as process:
        assert process.stderr is not None
        lines = iter(process.stderr.readline, "")
        said = next(line for line in lines if "does not run" not in line)
    assert re.fullmatch(rf"Expected the device {trial_hall.other_clock} of the certificate, found '{trial_hall.clock}': enrol .*\n", said)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda identity: identity.key.unlink(),
        lambda identity: identity.certificate.write_text("no certificate"),
        lambda identity: identity.ca.write_text(""),
        lambda identity: shutil.copy(identity.certificate, identity.key),
    ],
    ids=["no key", "no certificate", "empty authority", "a certificate for a key"],
)
def test_unusable_files_are_refused_with_a_sentence(
    trial_hall: TrialHall, tmp_path: Path, broker: Broker, spoil: Callable[[Identity], object]
) -> None:
    folder = tmp_path / "device"
    shutil.copytree(trial_hall.files.identity(trial_hall.clock).key.parent, folder)
    spoil(identity_in(folder))
    with link(identity_in(folder), broker, tmp_path / "hall.sock") as process:
        _, said = process.communicate()
    assert process.returncode == 2
    assert said.startswith(f"tilehall: {folder}")
    assert "nrol this device" in said
    assert said.count("\n") == 1
