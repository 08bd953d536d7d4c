"""A link's next certificate: asked for by the link itself, for the key of the last one, taken by a real broker; and who gets none."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding

from hall.broker import plan_of
from hall.enrol.client import enrol, renew
from hall.enrol.device import DevicePlaces, is_enrolled, keep, keys_of, request_of
from hall.enrol.protocol import NotGranted
from hall.enrol.registrar import TokenUse, new_tokens
from hall.errors import EnrolmentRefused, HallUnreachable
from hall.keys.authority import DEVICE_DAYS, RENEWAL, read_holder
from hall.keys.files import Identity
from tests.errors import with_fields
from tests.hall.client import connected
from tests.hall.enrol.admitting import ADDRESS, TILEHALL, Admitting, admitting, device, files_of, make_hall, tilehall
from tests.hall.link.linked import LinkedDevice, served
from tests.installed import require
from tests.processes import running, until
from tools.trial_broker import Broker, running_broker
from wire.keys import load_key
from wire.topics import CLOCK, Topics

pytestmark = pytest.mark.waits(9)


@dataclass
class Renewing:
    """A hall with its service and its broker."""

    hall: Admitting
    broker: Broker

    def admitted(self, folder: Path) -> tuple[DevicePlaces, str]:
        """Return a clock of the hall, and its token."""
        places = device(folder)
        with self.hall.files.changing():
            (token,) = new_tokens(self.hall.files, [TokenUse(kind="clock", name="", table=12)])
        keys = keys_of(places)
        keep(places, enrol(self.hall.hall_port, keys, request_of(places, keys), token, lambda _: None))
        return places, token

    def age(self, places: DevicePlaces, ends: datetime) -> Identity:
        """Give a clock, and the hall, a certificate with that end in place of its own."""
        holder, identity = read_holder(places.identity.certificate), places.identity
        key = load_key(identity.key, CLOCK).private.public_key()
        certificate = self.hall.files.authority.device(holder.name, key, ends).public_bytes(Encoding.PEM)
        for each in (identity, self.hall.files.identity(holder.name)):
            each.certificate.write_bytes(certificate)
        return identity

    def settings(self, folder: Path) -> Path:
        path = folder / "tilehall.toml"
        path.write_text(f'[broker]\nhost = "{ADDRESS}"\nport = {self.broker.port}\n[enrol]\nport = {self.hall.port}\n', encoding="utf-8")
        return path


@pytest.fixture(scope="module")
def renewing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Renewing]:
    require("mosquitto")
    folder = tmp_path_factory.mktemp("renewing")
    files = make_hall(folder / "hall")
    with admitting(files, folder) as hall, running_broker(folder / "broker", plan_of(files)) as broker:
        yield Renewing(hall, broker)


def asked(renewing: Renewing, places: DevicePlaces) -> tuple[int, str, str]:
    done = tilehall("renew", "--folder", str(places.link), "--host", ADDRESS, "--port", str(renewing.hall.port))
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("days", [9, -1, -59])
def test_the_broker_takes_the_next_certificate_also_after_the_end_of_the_last(renewing: Renewing, tmp_path: Path, days: int) -> None:
    places, _ = renewing.admitted(tmp_path)
    identity = renewing.age(places, datetime.now(UTC) + timedelta(days=days))
    key = identity.key.read_bytes()
    code, said, wrong = asked(renewing, places)
    assert code == 0, wrong
    holder = read_holder(identity.certificate)
    assert json.loads(said) == {"ends": holder.last_day, "renew_at": int((holder.ends - RENEWAL).timestamp())}
    assert holder.ends - datetime.now(UTC) > timedelta(days=DEVICE_DAYS - 1)
    assert identity.key.read_bytes() == key
    assert is_enrolled(places, renewing.hall.pin)
    with connected(renewing.broker, identity) as client:
        assert client.publish(Topics("club").of_device(holder.name, "state")) < 0x80


def test_a_link_renews_an_ended_certificate_by_itself_and_connects(renewing: Renewing, tmp_path: Path) -> None:
    places, _ = renewing.admitted(tmp_path)
    ended = datetime.now(UTC) - timedelta(days=2)
    renewing.age(places, ended)
    clock, socket = LinkedDevice(read_holder(places.identity.certificate).name), tmp_path / "hall.sock"
    words = ("--folder", str(places.link), "--settings", str(renewing.settings(tmp_path)), "--socket", str(socket))
    with served(clock, socket), running(TILEHALL, "link", *words):
        until(lambda: any(state.up for state in clock.states), "the connection")
    assert read_holder(places.identity.certificate).ends > datetime.now(UTC)


def test_a_link_that_the_broker_has_refused_renews_whatever_its_own_date_says(renewing: Renewing, tmp_path: Path) -> None:
    # Its own plan believes the certificate to be good: as on a machine that is a year behind.
    places, _ = renewing.admitted(tmp_path)
    clock, socket = LinkedDevice(read_holder(places.identity.certificate).name), tmp_path / "hall.sock"
    words = ("--folder", str(places.link), "--settings", str(renewing.settings(tmp_path)), "--socket", str(socket))
    with served(clock, socket), running(TILEHALL, "link", *words) as link:
        until(lambda: any(state.up for state in clock.states), "the connection")
        ended = renewing.age(places, datetime.now(UTC) - timedelta(days=2)).certificate.read_bytes()
        # A clock takes the link's state once a second: it need not see a loss that is over by then.
        renewing.broker.kill()
        until(lambda: not clock.states[-1].up, "the loss of the connection")
        states = len(clock.states)
        renewing.broker.restart()
        until(
            lambda: any(state.up for state in clock.states[states:] if places.identity.certificate.read_bytes() != ended), "the connection"
        )
        assert link.poll() is None


def test_who_gets_none(renewing: Renewing, tmp_path: Path) -> None:
    hall = renewing.hall
    places, token = renewing.admitted(tmp_path)
    name, keys = read_holder(places.identity.certificate).name, keys_of(places)
    with pytest.raises(EnrolmentRefused, check=with_fields(found=NotGranted.BAD_PROOF)):
        renew(hall.hall_port, name, load_key(tmp_path / "other.pem", CLOCK))
    renewing.age(places, datetime.now(UTC) - timedelta(days=61))
    before = files_of(places)
    code, _, said = asked(renewing, places)
    assert (code, said) == (1, "tilehall: This device's certificate ended more than 60 days ago: enrol it again.\n")
    assert files_of(places) == before
    done = tilehall("revoke", "table 12", "--folder", str(hall.files.folder))
    assert done.returncode == 2, "several clocks say that they stand at table 12"
    assert tilehall("revoke", name, "--folder", str(hall.files.folder)).returncode == 0
    with pytest.raises(EnrolmentRefused, check=with_fields(found=NotGranted.NOT_ADMITTED)):
        renew(hall.hall_port, name, keys.link)
    # Its token is dead too, also for the device itself.
    with pytest.raises(EnrolmentRefused, check=with_fields(found=NotGranted.USED_TOKEN)):
        enrol(hall.hall_port, keys, request_of(places, keys), token, lambda _: None)


def test_another_hall_at_that_address_renews_nothing(renewing: Renewing, tmp_path: Path) -> None:
    places, _ = renewing.admitted(tmp_path)
    before = files_of(places)
    (tmp_path / "foreign").mkdir()
    with admitting(make_hall(tmp_path / "foreign" / "hall"), tmp_path / "foreign") as foreign:
        done = tilehall("renew", "--folder", str(places.link), "--host", ADDRESS, "--port", str(foreign.port))
    assert done.returncode == 2
    assert "found hall club with" in done.stderr
    assert files_of(places) == before
    with pytest.raises(HallUnreachable):
        renew(foreign.hall_port, "c-aaaaaaaaaaaaaaaa", keys_of(places).link)


def test_a_revoked_clock_is_out_and_may_be_admitted_anew(renewing: Renewing, tmp_path: Path) -> None:
    places, _ = renewing.admitted(tmp_path)
    name = read_holder(places.identity.certificate).name
    old = {path.name: path.read_bytes() for path in places.link.iterdir()}
    with connected(renewing.broker, places.identity):
        assert tilehall("revoke", name, "--folder", str(renewing.hall.files.folder)).returncode == 0
    renewing.broker.restart()
    with pytest.raises((OSError, AssertionError)), connected(renewing.broker, places.identity, patience_s=3):
        pass
    again, _ = renewing.admitted(tmp_path / "again")
    with connected(renewing.broker, again.identity) as client:
        assert client.publish(Topics("club").of_device(read_holder(again.identity.certificate).name, "state")) < 0x80
    assert old["certificate.pem"] != again.identity.certificate.read_bytes()
    assert isinstance(keys_of(again).link.private.public_key(), Ed25519PublicKey)
