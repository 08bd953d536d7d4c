"""Devices come in by digits or by a token, find their hall, and renew their certificates: real programs, real TLS, the device's own screen."""

import json
import re
import stat
import subprocess
import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Literal

import pytest
from cryptography.hazmat.primitives.serialization import Encoding

from firmware.shell.hall import load_trust
from hall.broker import access_list
from hall.enrol.device import DevicePlaces, is_enrolled, keep, keys_of, renew
from hall.enrol.protocol import SENTENCES
from hall.errors import EnrolmentRefused, HallError
from hall.keys.files import DEVICE_DAYS, RENEWAL, HallFiles, Identity, read_holder
from kiosk.shell.hall import ClockLine
from tests.errors import with_fields
from tests.hall.client import connected
from tests.hall.enrol.admitting import ADDRESS, Admitting, admitting, ask, device, files_of, make_hall, tilehall, tilehall_alone, token_for
from tests.hall.joined import played_clock
from tests.hall.link.linked import LinkedDevice, served
from tests.hall.listener.listening import TILEHALL, command
from tests.installed import require
from tests.processes import running, until
from tests.some import some
from tools.trial_broker import Broker, running_broker
from wire.keys import key_text, load_key
from wire.topics import CLOCK, Topics

pytestmark = pytest.mark.waits(25)


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Admitting]:
    folder = tmp_path_factory.mktemp("the hall admits devices")
    with admitting(make_hall(folder / "hall"), folder) as found:
        yield found


def shown(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    for line in process.stdout:
        if found := re.fullmatch(r" {4}(\d{4}-\d{4})\n", line):
            return found[1]
    raise AssertionError(process.communicate()[1])


def test_a_clock_shows_the_digits_between_games_until_it_is_admitted_and_then_trusts_the_hall(hall: Admitting, tmp_path: Path) -> None:
    places = device(tmp_path, table=7)
    own = {"enabled": True, "socket": str(places.socket), "key": str(places.key), "trust": str(places.trust)}
    with played_clock("", tmp_path, **{f"hall.{name}": value for name, value in own.items()}) as clock:
        # One that is no longer asked for shows none, and waits no more.
        with running(TILEHALL, *hall.asking(places)) as gone:
            digits = shown(gone)
            until(lambda: digits in clock.face.called, "the digits")
            gone.kill()
            gone.wait()
        until(lambda: clock.face.called == "", "the end of the digits")
        while digits in hall.director().stdout:
            pass
        assert hall.director(digits).returncode == 1
        with running(TILEHALL, *hall.asking(places)) as asking:
            digits = shown(asking)
            until(lambda: clock.face.called == f"HALL club: ADMIT {digits}", "the digits")
            assert clock.face.code
            clock.press("right")
            clock.until("running")
            # A game has the face for itself.
            assert (clock.face.called, clock.face.code) == ("", ())
            clock.press("centre")
            listed = hall.director()
            assert re.search(rf"^{digits}   clock · table 7   c-\w+   from 127\.0\.0\.1, for \d+ s$", listed.stdout, re.MULTILINE)
            wrong = hall.director(f"{(int(digits[:4]) + 1) % 10_000:04}{digits[4:]}")
            assert (wrong.returncode, wrong.stdout, "intercepting the connection" in wrong.stderr) == (1, "", True)
            assert asking.poll() is None
            assert hall.director(digits).returncode == 0
            said, _ = asking.communicate()
        until(lambda: clock.loop._clock.hall is not None and clock.loop._clock.hall.joins is None, "the end of the digits")
    key = load_key(places.key, CLOCK)
    assert f"{key.device} is admitted to hall club" in said
    trust = some(load_trust(places.trust))
    assert (trust.hall, trust.hall_key, trust.director_key) == (
        "club",
        key_text(hall.files.authority.key.public_key()),
        hall.files.director_public(),
    )
    assert is_enrolled(places, hall.pin)
    # Both keys stay with their owner; the hall has neither.
    assert [stat.S_IMODE(path.stat().st_mode) for path in (places.key, places.identity.key)] == [0o600, 0o640]
    assert not hall.files.identity(key.device).key.exists()


def test_a_station_that_is_admitted_may_hear_the_clocks(hall: Admitting, tmp_path: Path) -> None:
    places = device(tmp_path, "tilekiosk")
    with running(TILEHALL, *hall.asking(places)) as asking:
        assert hall.director(shown(asking)).returncode == 0
        asking.wait()
    name = read_holder(places.identity.certificate).name
    assert name.startswith("s-")
    assert f"user {name}" in access_list(hall.files).splitlines()
    line = ClockLine(places.trust, lambda _: True, lambda _: None, lambda: 0)
    assert (line._hall, line._credential is None) == ("club", False)


def test_without_the_service_the_director_gets_a_sentence(tmp_path: Path) -> None:
    done = tilehall("admit", "--socket", str(tmp_path / "none"))
    assert (done.returncode, "sudo systemctl start tilehall-admissions" in done.stderr) == (2, True)
    assert tilehall("admit", "123", "--socket", str(tmp_path / "none")).returncode == 2


Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def cards(hall: Admitting, tmp_path: Path) -> Path:
    done = make_cards(hall, tmp_path / "cards", "--tables", "1-3", "--stations", "A")
    assert done.returncode == 0, done.stderr
    return tmp_path / "cards"


def make_cards(hall: Admitting, target: Path, *words: str, run: Run = tilehall) -> subprocess.CompletedProcess[str]:
    options = ("--folder", str(hall.files.folder), "--host", ADDRESS, "--enrol-port", str(hall.port))
    return run("token", str(target), *options, *words)


def at_boot(places: DevicePlaces, card: Path, *, run: Run = tilehall) -> subprocess.CompletedProcess[str]:
    settings = ("--settings", str(card / "tilehall.toml"), "--device-settings", str(places.link.parent / "device.toml"))
    return run("enrol", places.program, "--at-boot", "--folder", str(places.link), *settings)


def test_each_card_admits_its_device_without_a_director(hall: Admitting, tmp_path: Path) -> None:
    cards = tmp_path / "cards"
    assert make_cards(hall, cards, "--tables", "1-3", "--stations", "A", run=tilehall_alone).returncode == 0
    assert sorted(each.name for each in cards.iterdir()) == ["station-A", "table-1", "table-2", "table-3"]
    programs: dict[str, Literal["tileclock", "tilekiosk"]] = {"clock · table 2": "tileclock", "station · A": "tilekiosk"}
    before = (cards / "table-1" / "tilehall.toml").read_bytes()
    assert make_cards(hall, cards, "--tables", "1-3").returncode == 2
    assert (cards / "table-1" / "tilehall.toml").read_bytes() == before
    for card, (about, program) in zip(("table-2", "station-A"), programs.items(), strict=True):
        places = device(tmp_path / card, program, table=77)
        done = at_boot(places, cards / card, run=tilehall_alone)
        assert done.returncode == 0, done.stderr
        assert is_enrolled(places, hall.pin)
        listed = tilehall_alone("devices", "--folder", str(hall.files.folder)).stdout
        assert f"{read_holder(places.identity.certificate).name}   {about}   until " in listed


def test_a_token_admits_one_device_which_may_ask_again(hall: Admitting, cards: Path, tmp_path: Path) -> None:
    first, second = device(tmp_path / "first"), device(tmp_path / "second")
    assert at_boot(first, cards / "table-1").returncode == 0
    refused = at_boot(second, cards / "table-1")
    assert (refused.returncode, refused.stderr) == (1, f"tilehall: {SENTENCES['used_token']}\n")
    assert files_of(second) == {}
    # A power cut after the hall has noted the token, and before the device has its certificate.
    first.identity.certificate.unlink()
    tokens = hall.files.folder / "tokens.json"
    whole = tokens.read_bytes()
    tokens.write_bytes(b"{")
    # After any other exit code than 1 systemd tries again: the hall may have been mended.
    assert at_boot(first, cards / "table-1").returncode == 2
    tokens.write_bytes(whole)
    assert at_boot(first, cards / "table-1").returncode == 0
    assert is_enrolled(first, hall.pin)
    # Enrolled, it asks no more.
    before, done = files_of(first), at_boot(first, cards / "table-1")
    assert (done.returncode, done.stdout, files_of(first)) == (0, "", before)
    settings = ("--settings", str(tmp_path / "first" / "device.toml"))
    assert tilehall("enrol", "tileclock", "--at-boot", "--folder", str(first.link), *settings).returncode == 2


def test_a_device_whose_certificate_is_too_old_to_be_renewed_shows_its_token_again(hall: Admitting, cards: Path, tmp_path: Path) -> None:
    places = device(tmp_path)
    assert at_boot(places, cards / "table-1").returncode == 0
    name, key = read_holder(places.identity.certificate).name, load_key(places.identity.key, CLOCK).private.public_key()
    for days, asks in ((59, False), (61, True)):
        old = hall.files.authority.device(name, key, datetime.now(UTC) - timedelta(days=days)).public_bytes(Encoding.PEM)
        places.identity.certificate.write_bytes(old)
        assert at_boot(places, cards / "table-1").returncode == 0
        assert (places.identity.certificate.read_bytes() != old) is asks


def test_a_wrong_token_and_that_of_a_station_admit_no_clock(cards: Path, tmp_path: Path) -> None:
    for card, why in (("station-A", "other_kind"), ("table-1", "unknown_token")):
        places = device(tmp_path / card)
        text = (cards / card / "tilehall.toml").read_text(encoding="utf-8")
        token = tomllib.loads(text)["enrol"]["token"]
        forged = text if why == "other_kind" else text.replace(token, token[::-1])
        (cards / card / "tilehall.toml").write_text(forged, encoding="utf-8")
        done = at_boot(places, cards / card)
        assert (done.returncode, done.stderr) == (1, f"tilehall: {SENTENCES[why]}\n")
        assert files_of(places) == {}


def test_a_template_gets_the_number_of_each_table(hall: Admitting, tmp_path: Path) -> None:
    template = tmp_path / "tileclock.toml"
    template.write_text(
        'rulebook = "nzasp-2022"\n[hall]\nenabled = true\ntable = {table}\n[machine]\nname = "clock"\ntable = {table}\n', encoding="utf-8"
    )
    assert make_cards(hall, tmp_path / "cards", "--tables", "9,10", "--clock-settings", str(template)).returncode == 0
    text = (tmp_path / "cards" / "table-10" / "tileclock.toml").read_text(encoding="utf-8")
    filled = {"hall": {"enabled": True, "table": 10}, "machine": {"name": "clock", "table": 10}}
    assert tomllib.loads(text) == {"rulebook": "nzasp-2022", **filled}
    assert (tmp_path / "cards" / "table-09").is_dir()


@pytest.mark.parametrize(
    ("template", "said"),
    [
        ("rulebook = 3\n", "rulebook"),
        ("[hall]\nenabled = true\ntable = 5\n", "table = {table}"),
        ("[hall]\ntable = {table}\n", "enabled = true"),
    ],
)
def test_a_template_that_no_clock_would_take_makes_nothing(hall: Admitting, tmp_path: Path, template: str, said: str) -> None:
    path = tmp_path / "tileclock.toml"
    path.write_text(template, encoding="utf-8")
    before = (hall.files.folder / "tokens.json").read_bytes() if (hall.files.folder / "tokens.json").exists() else b""
    done = make_cards(hall, tmp_path / "cards", "--tables", "1-2", "--clock-settings", str(path))
    assert (done.returncode, said in done.stderr, str(path) in done.stderr) == (2, True, True)
    assert [each.name for each in tmp_path.iterdir()] == ["tileclock.toml"]
    assert before == ((hall.files.folder / "tokens.json").read_bytes() if before else b"")


@pytest.mark.parametrize("words", [("--tables", "0-3"), ("--tables", "1,1"), ("--tables", "x"), ("--stations", "A,../b"), ()])
def test_numbers_and_names_that_are_none_make_nothing(hall: Admitting, tmp_path: Path, words: tuple[str, ...]) -> None:
    assert make_cards(hall, tmp_path / "cards", *words).returncode == 2
    assert list(tmp_path.iterdir()) == []


NAME = "c-aaaaaaaaaaaaaaaa"


@dataclass
class Renewing:
    hall: Admitting
    broker: Broker

    def admitted(self, folder: Path) -> tuple[DevicePlaces, str]:
        places, token = device(folder), token_for(self.hall.files)
        keep(places, ask(self.hall.hall_port, places, token))
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
    with admitting(files, folder) as hall, running_broker(folder / "broker", files) as broker:
        yield Renewing(hall, broker)


@contextmanager
def linking(device: str, folder: Path, settings: Path) -> Iterator[tuple[LinkedDevice, subprocess.Popen[str]]]:
    clock, socket = LinkedDevice(device), settings.with_name("hall.sock")
    with served(clock, socket), running(TILEHALL, *command("link", folder=folder, settings=settings, socket=socket)) as link:
        yield clock, link


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


def test_a_link_that_the_broker_has_refused_renews_whatever_its_own_date_says(renewing: Renewing, tmp_path: Path) -> None:
    # Its own plan believes the certificate to be good: as on a machine that is a year behind.
    places, _ = renewing.admitted(tmp_path)
    with linking(read_holder(places.identity.certificate).name, places.link, renewing.settings(tmp_path)) as (clock, link):
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
    with pytest.raises(EnrolmentRefused, check=with_fields(found="bad_proof")):
        renew(hall.hall_port, name, load_key(tmp_path / "other.pem", CLOCK))
    renewing.age(places, datetime.now(UTC) - timedelta(days=61))
    before = files_of(places)
    code, _, said = asked(renewing, places)
    assert (code, said) == (1, "tilehall: This device's certificate ended more than 60 days ago: enrol it again.\n")
    assert files_of(places) == before
    renewing.admitted(tmp_path / "replacement")
    done = tilehall("revoke", "table 12", "--folder", str(hall.files.folder))
    assert done.returncode == 2, "two clocks say that they stand at table 12"
    assert tilehall("revoke", name, "--folder", str(hall.files.folder)).returncode == 0
    with pytest.raises(EnrolmentRefused, check=with_fields(found="not_admitted")):
        renew(hall.hall_port, name, keys.link)
    # Its token is dead too, also for the device itself.
    with pytest.raises(EnrolmentRefused, check=with_fields(found="used_token")):
        ask(hall.hall_port, places, token)


def test_another_hall_at_that_address_renews_nothing(renewing: Renewing, tmp_path: Path) -> None:
    places, _ = renewing.admitted(tmp_path)
    before = files_of(places)
    (tmp_path / "foreign").mkdir()
    with admitting(make_hall(tmp_path / "foreign" / "hall"), tmp_path / "foreign") as foreign:
        done = tilehall("renew", "--folder", str(places.link), "--host", ADDRESS, "--port", str(foreign.port))
    assert (done.returncode, "found hall club with" in done.stderr) == (2, True)
    assert files_of(places) == before
    with pytest.raises(HallError):
        renew(foreign.hall_port, "c-aaaaaaaaaaaaaaaa", keys_of(places).link)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> HallFiles:
    # A name of its own: other halls may announce themselves on this machine.
    folder = tmp_path_factory.mktemp("finding")
    return make_hall(folder / "hall", f"club-{folder.parent.name[-20:].lower().replace('_', '-')}")


@pytest.fixture(scope="module")
def broker(files: HallFiles, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Broker]:
    require("mosquitto")
    files.admit(NAME)
    with running_broker(tmp_path_factory.mktemp("broker"), files) as found:
        yield found


@pytest.fixture(scope="module")
def announcing(files: HallFiles, broker: Broker, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Admitting]:
    folder = tmp_path_factory.mktemp("the hall admits devices")
    settings = folder / "hall.toml"
    settings.write_text(f"[broker]\nport = {broker.port}\n", encoding="utf-8")
    with admitting(files, folder, "--settings", str(settings)) as found:
        assert found.process.stdout is not None
        assert any("announced" in line for line in iter(found.process.stdout.readline, ""))
        yield found


def test_the_announcement_names_hall_and_ports_and_a_link_without_an_address_finds_it(
    announcing: Admitting, broker: Broker, tmp_path: Path
) -> None:
    hall = announcing.files.authority.hall
    done = tilehall("find", "--for", hall, "--from", ADDRESS)
    assert done.returncode == 0, done.stderr
    own = {"hall": hall, "fingerprint": announcing.pin}
    assert json.loads(done.stdout) == own | {"host": ADDRESS, "port": broker.port, "enrol_port": announcing.port}
    # A link without an address finds its hall.
    settings = tmp_path / "tilehall.toml"
    settings.write_text(f'[broker]\nlook_from = "{ADDRESS}"\n', encoding="utf-8")
    with linking(NAME, announcing.files.identity(NAME).key.parent, settings) as (clock, _):
        until(lambda: any(state.up for state in clock.states), "the connection")
