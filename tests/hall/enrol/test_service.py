"""The enrolment port, and its visitors: strangers stay out; killed at any step, hall and device leave whole files."""

import asyncio
import json
import os
import secrets
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path
from typing import IO, Any

import pytest
from click.testing import CliRunner
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from appliance.records.files import write_whole
from hall.cli.main import main
from hall.enrol import service
from hall.enrol.device import DevicePlaces, Granted, HallPort, ToCompare, enrol, is_enrolled, keep, keys_of, request_of
from hall.enrol.protocol import LONGEST, as_typed, commitment, digits_of, fingerprint, transcript_of
from hall.enrol.registrar import Registrar, id_of
from hall.enrol.service import BEGIN_AT_ONCE, AdmissionService, AdmissionSocket, Applicant, WaitingRoom
from hall.errors import EnrolmentRefused, HallError
from hall.keys.files import HallFiles, Identity
from tests.errors import with_fields
from tests.hall.client import connected
from tests.hall.enrol.admitting import ADDRESS, Admitting, admitting, ask, device, make_hall, tilehall, token_for
from tests.installed import require
from tools.trial_broker import running_broker
from wire.topics import Topics, signed_bytes


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Admitting]:
    folder = tmp_path_factory.mktemp("the hall admits devices")
    with admitting(make_hall(folder / "hall"), folder) as found:
        yield found


def trusting(port: int) -> ssl.SSLSocket:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context.wrap_socket(socket.create_connection((ADDRESS, port), 60))


@contextmanager
def raw(hall: Admitting) -> Iterator[tuple[ssl.SSLSocket, IO[bytes]]]:
    with trusting(hall.port) as connection:
        yield connection, connection.makefile("rb")


def sent(message: dict[str, Any]) -> bytes:
    return json.dumps({"v": 1, **message}).encode() + b"\n"


@dataclass
class Relay:
    folder: Path
    to: int
    lines: list[bytes] = field(default_factory=list)

    @contextmanager
    def running(self) -> Iterator[int]:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.folder / "relay.pem", self.folder / "relay.key")
        with socket.create_server((ADDRESS, 0)) as server:
            thread = threading.Thread(target=self._serve, args=(server, context), daemon=True)
            thread.start()
            yield server.getsockname()[1]
        thread.join()

    def _serve(self, server: socket.socket, context: ssl.SSLContext) -> None:
        plain, _ = server.accept()
        with context.wrap_socket(plain, server_side=True) as inner, trusting(self.to) as outer:
            said, answered = inner.makefile("rb"), outer.makefile("rb")
            while line := said.readline():
                self.lines.append(line)
                outer.sendall(line)
                inner.sendall(answered.readline())


def relay(folder: Path, files: HallFiles, to: int, *, of_device: bool) -> Relay:
    key = Ed25519PrivateKey.generate()
    authority = files.authority if of_device else make_hall(folder / "foreign").authority
    ends = datetime.now(UTC) + timedelta(days=9)
    issued = (
        authority.device("c-aaaaaaaaaaaaaaaa", key.public_key(), ends) if of_device else authority.broker(key.public_key(), ["x"], ends)
    )
    (folder / "relay.pem").write_bytes(issued.public_bytes(Encoding.PEM))
    (folder / "relay.key").write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    return Relay(folder, to)


@pytest.mark.parametrize("of_device", [True, False])
def test_a_token_never_reaches_a_program_in_between(hall: Admitting, tmp_path: Path, of_device: bool) -> None:
    places, token = device(tmp_path), token_for(hall.files)
    between = relay(tmp_path, hall.files, hall.port, of_device=of_device)
    shows = with_fields(found=f"a machine with{'' if of_device else 'out'} a {'device' if of_device else 'hall'}'s certificate")
    with between.running() as port, pytest.raises(HallError, check=shows):
        ask(HallPort(ADDRESS, port, hall.pin), places, token)
    assert len(between.lines) == 1
    assert token.encode() not in b"".join(between.lines)
    # It is still good for the device.
    assert ask(hall.hall_port, places, token).grant.hall == "club"


def test_the_digits_of_a_device_that_speaks_with_another_hall_admit_nobody(hall: Admitting, tmp_path: Path) -> None:
    # A hall of the same name in between asks the real one at the same time, with keys of its own.
    victim, impostor = device(tmp_path / "victim"), device(tmp_path / "impostor")
    shown: list[ToCompare] = []
    waits = [threading.Semaphore(0), threading.Semaphore(0)]
    (tmp_path / "between").mkdir()

    def show(compare: ToCompare, waiting: threading.Semaphore) -> None:
        shown.append(compare)
        waiting.release()

    def compared(port: HallPort, places: DevicePlaces, waiting: threading.Semaphore) -> None:
        with suppress(HallError):
            ask(port, places, None, lambda compare: show(compare, waiting))

    with admitting(make_hall(tmp_path / "between" / "hall"), tmp_path / "between") as between:
        asks = (
            threading.Thread(target=compared, args=(HallPort(ADDRESS, between.port), victim, waits[0]), daemon=True),
            threading.Thread(target=compared, args=(HallPort(ADDRESS, hall.port), impostor, waits[1]), daemon=True),
        )
        for each, waiting in zip(asks, waits, strict=True):
            each.start()
            assert waiting.acquire(timeout=60)
        seen, asked = shown
        assert (seen.hall, asked.hall) == ("club", "club")
        denied = hall.director(seen.digits)
        assert (denied.returncode, denied.stdout) == (1, "")
        assert asked.digits in hall.director().stdout


def test_who_cannot_prove_both_request_and_key_is_refused(hall: Admitting, tmp_path: Path) -> None:
    # A request that was not committed to.
    places = device(tmp_path)
    keys = keys_of(places)
    text, secret = request_of(places, keys).model_dump_json(), secrets.token_hex(16)
    for committed in (commitment(text, secret[::-1]), commitment(text + " ", secret), None):
        with raw(hall) as (connection, lines):
            connection.sendall(sent({"do": "enrol", "commitment": committed}))
            opening = json.loads(lines.readline())
            ca = hall.files.authority.certificate.public_bytes(Encoding.DER)
            signed = signed_bytes("tc/1 enrolment", transcript_of(ca, text, secret, opening["nonce"]))
            proofs = {"proof": keys.own.sign(signed), "link_proof": keys.link.sign(signed)}
            connection.sendall(sent({"request": text, "secret": secret, **proofs}))
            assert json.loads(lines.readline())["reason"] == "bad_proof"
    # Only the public half of a key.
    places, other = device(tmp_path / "one"), device(tmp_path / "other")
    keys, stolen = keys_of(other), keys_of(places)
    request = request_of(places, stolen)
    with pytest.raises(EnrolmentRefused, check=with_fields(found="bad_proof")):
        enrol(hall.hall_port, keys, request, None, lambda _: None)


def test_what_is_no_message_gets_a_reason_and_one_address_cannot_take_all_connections(hall: Admitting) -> None:
    wrong = (b"\n", b"[]\n", b'{"v": 2, "do": "enrol"}\n', b'{"v": 1, "do": "rule"}\n', b"\xff\xfe\n")
    for line in (*wrong, b"[" * 9_000 + b"\n", b"x" * (LONGEST + 1)):
        with raw(hall) as (connection, lines):
            connection.sendall(line)
            assert json.loads(lines.readline())["reason"] == "malformed"
        assert hall.director().returncode == 0
        assert hall.process.poll() is None
    with ExitStack() as stack:
        places = [("127.0.0.2", 0)] * (AdmissionSocket.of_one + 1)
        held = [stack.enter_context(socket.create_connection((ADDRESS, hall.port), 60, source_address=each)) for each in places]
        assert held[-1].recv(1) == b""
        assert hall.director().returncode == 0


def test_digits_are_eight_and_differ_with_all_that_was_sent() -> None:
    said = transcript_of(b"ca", "request", "aa", "bb")
    others = [
        transcript_of(b"cb", "request", "aa", "bb"),
        transcript_of(b"ca", "r", "aa", "bb"),
        transcript_of(b"ca", "request", "ab", "bb"),
    ]
    digits = [digits_of(each) for each in (said, *others, transcript_of(b"ca", "request", "aa", "bc"))]
    assert len(set(digits)) == len(digits)
    for typed in (digits[0], digits[0].replace("-", ""), f" {digits[0].replace('-', ' ')}\n"):
        assert as_typed(typed) == digits[0]
    assert as_typed(said) == said
    assert [as_typed(wrong) for wrong in ("", "123", "1234-567", "1234-56789", "x" * 64)] == [None] * 5


WAITED_S = 0.5


def _refused(
    port: HallPort, places: DevicePlaces, token: str | None, show: Callable[[ToCompare], None] = lambda _: None
) -> tuple[str, float]:
    """Return why a device with this token is refused, and after how long (s)."""
    begun = time.monotonic()
    with pytest.raises(EnrolmentRefused) as refused:
        ask(port, places, token, show)
    return str(refused.value.found), time.monotonic() - begun


def test_each_wrong_token_costs_a_second_and_locks_no_device_out(tmp_path: Path) -> None:
    files, places = make_hall(tmp_path / "hall"), device(tmp_path / "device")
    good = token_for(files)
    keys_of(places)
    with admitting(files, tmp_path) as hall, ThreadPoolExecutor(10) as pool:
        found = list(pool.map(lambda _: _refused(hall.hall_port, places, secrets.token_hex(16)), range(30)))
        assert ({why for why, _ in found}, min(took for _, took in found) >= 1) == ({"unknown_token"}, True)
        assert ask(hall.hall_port, places, good).grant.hall == "club"


def test_a_crowd_that_wants_to_wait_goes_after_who_comes_first_from_an_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "BEGIN_WITHIN_NS", 500_000_000)
    places = device(tmp_path)
    request = request_of(places, keys_of(places))

    async def came_in() -> list[str]:
        room = WaitingRoom()
        for address in (*("127.0.0.2",) * 3 * BEGIN_AT_ONCE, "127.0.0.3"):
            room.enter(last := Applicant(request, TRANSCRIPT, address))
        assert len(room.applicants) == BEGIN_AT_ONCE
        await asyncio.wait_for(last.waits.wait(), 60)
        return [each.address for each in room.applicants]

    assert asyncio.run(came_in())[BEGIN_AT_ONCE] == "127.0.0.3"


@contextmanager
def _serving(files: HallFiles, folder: Path) -> Iterator[int]:
    loop, stopped, ports = asyncio.new_event_loop(), asyncio.Event(), []
    ready = threading.Event()

    def note(port: int) -> None:
        ports.append(port)
        ready.set()

    service = AdmissionService(files, ADDRESS, 0, folder / "admit")
    thread = threading.Thread(target=loop.run_until_complete, args=(service.run(note, stopped),))
    thread.start()
    try:
        assert ready.wait(60)
        yield ports[0]
    finally:
        loop.call_soon_threadsafe(stopped.set)
        thread.join()
        loop.close()


def test_a_device_that_the_director_does_not_admit_in_time_hears_so_and_waits_no_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "WAIT_S", WAITED_S)
    files, places, shown = make_hall(tmp_path / "hall"), device(tmp_path / "device"), list[ToCompare]()
    pin = fingerprint(files.authority.certificate.public_bytes(Encoding.DER))
    with _serving(files, tmp_path) as port:
        why, waited = _refused(HallPort(ADDRESS, port, pin), places, None, shown.append)
        assert (why, waited >= WAITED_S, len(shown)) == ("too_late", True, 1)
        late = tilehall("admit", shown[0].digits, "--socket", str(tmp_path / "admit"))
        assert (late.returncode, "No device with these digits is waiting" in late.stderr) == (1, True)
        assert tilehall("admit", "--socket", str(tmp_path / "admit")).stdout == ""
    assert not files.identity(keys_of(places).own.device).certificate.exists()


TRANSCRIPT = "ab" * 32


def set_date(monkeypatch: pytest.MonkeyPatch, wrong: timedelta) -> None:
    class Wrong(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> datetime:  # type: ignore[override]
            return datetime.now(tz) + wrong

    for module in ("hall.keys.files", "hall.enrol.registrar"):
        monkeypatch.setattr(f"{module}.datetime", Wrong)


def test_the_broker_takes_what_a_machine_an_hour_wrong_has_granted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    require("mosquitto")
    files = make_hall(tmp_path / "hall")
    asked = []
    for hours in (-1, 1):
        set_date(monkeypatch, timedelta(hours=hours))
        places = device(tmp_path / str(hours))
        request = request_of(places, keys_of(places))
        assert Registrar(files).admit(request, TRANSCRIPT).answer == "granted"
        issued = files.identity(id_of(request))
        asked.append((id_of(request), Identity(issued.ca, issued.certificate, places.identity.key)))
    with running_broker(tmp_path / "broker", files) as broker:
        for name, identity in asked:
            with connected(broker, identity) as client:
                assert client.publish(Topics("club").of_device(name, "state")) < 0x80


def test_a_hall_in_1970_grants_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files, places = make_hall(tmp_path / "hall"), device(tmp_path)
    set_date(monkeypatch, datetime(1970, 1, 1, tzinfo=UTC) - datetime.now(UTC))
    assert Registrar(files).admit(request_of(places, keys_of(places)), TRANSCRIPT).reason == "no_date"
    assert files.names == ("listener",)


class Killed(BaseException):
    """In place of a kill."""


def dying(write: int) -> Callable[..., None]:
    """Return ``write_whole`` that kills the program before its write number ``write``."""
    left = [write]

    def written(path: Path, *rest: object, **more: object) -> None:
        if not left[0]:
            raise Killed
        left[0] -= 1
        write_whole(path, *rest, **more)  # type: ignore[arg-type]

    return written


@pytest.mark.parametrize("write", range(6))
def test_a_hall_killed_before_any_of_its_writes_admits_the_same_device_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, write: int
) -> None:
    files, places = make_hall(tmp_path / "hall"), device(tmp_path, "tilekiosk")
    request = request_of(places, keys_of(places))
    token, name = token_for(files, "station"), id_of(request)
    with monkeypatch.context() as patched:
        one = dying(write)
        for module in ("hall.keys.files", "hall.enrol.registrar"):
            patched.setattr(f"{module}.write_whole", one)
        # Tokens, about, serials, ca, certificate; then the access list.
        with pytest.raises(Killed) if write < 5 else nullcontext():
            Registrar(files).admit_by_token(request, "ab" * 32, token)
    # Whatever is there is whole: the list of devices and a revocation work on it.
    assert CliRunner().invoke(main, ("devices", "--folder", str(files.folder))).exit_code == 0
    certificate = files.certificate(name)
    if certificate is not None:
        assert f"{certificate.serial_number:x}" in (files.folder / "names" / name / "serials").read_text(encoding="ascii").split()
    answer = Registrar(HallFiles.load(files.folder)).admit_by_token(request, "ab" * 32, token)
    assert answer.answer == "granted"
    assert f"user {name}\n" in (files.folder / "acl").read_text(encoding="ascii")
    assert CliRunner().invoke(main, ("revoke", name, "--folder", str(files.folder))).exit_code == 0
    revoked = x509.load_pem_x509_crl(files.revocations.read_bytes())
    if certificate is not None:
        assert revoked.get_revoked_certificate_by_serial_number(certificate.serial_number) is not None


@pytest.fixture(scope="module")
def granting(tmp_path_factory: pytest.TempPathFactory) -> tuple[Admitting, DevicePlaces, Granted]:
    folder = tmp_path_factory.mktemp("granting")
    places = device(folder)
    with admitting(make_hall(folder / "hall"), folder) as found:
        return found, places, ask(found.hall_port, places, token_for(found.files))


@pytest.mark.parametrize("write", range(4))
def test_a_device_killed_before_any_of_its_writes_is_not_enrolled_until_all_is_there(
    granting: tuple[Admitting, DevicePlaces, Granted], monkeypatch: pytest.MonkeyPatch, write: int
) -> None:
    found, places, granted = granting
    for path in (places.trust, places.identity.ca, places.identity.certificate):
        path.unlink(missing_ok=True)
    with monkeypatch.context() as patched:
        patched.setattr("hall.enrol.device.write_whole", dying(write))
        with pytest.raises(Killed) if write < 3 else nullcontext():
            keep(places, granted)
    assert is_enrolled(places, found.pin) is (write == 3)
    keep(places, granted)
    assert is_enrolled(places, found.pin)


@pytest.mark.needs_root
def test_what_root_writes_belongs_to_the_users_who_read_it(granting: tuple[Admitting, DevicePlaces, Granted], tmp_path: Path) -> None:
    _, _, granted = granting
    places = device(tmp_path)
    clock, link = 12_345, 12_346
    os.chown(places.key.parent, clock, clock)
    os.chown(places.link, link, link)
    keys_of(places)
    keep(places, granted)
    found = {path.name: path.stat().st_uid for folder in (places.key.parent, places.link) for path in folder.iterdir()}
    assert found == {"device.pem": clock, "hall.toml": clock, "key.pem": link, "ca.pem": link, "certificate.pem": link}
