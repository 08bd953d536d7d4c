"""A program between device and hall, and whatever else finds the port: real TLS, and nobody gets in who should not."""

from __future__ import annotations

import json
import secrets
import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import IO, Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from hall.enrol.client import HallPort, ToCompare, enrol
from hall.enrol.device import keys_of, request_of
from hall.enrol.protocol import LONGEST, Conversation, NotGranted, as_typed, commitment, digits_of
from hall.enrol.registrar import TokenUse, new_tokens
from hall.enrol.service import MAX_CONNECTIONS_OF_ADDRESS
from hall.errors import EnrolmentRefused, HallUnreachable
from hall.keys.files import HallFiles
from tests.errors import with_fields
from tests.hall.enrol.admitting import ADDRESS, Admitting, admitting, device, make_hall
from wire.signed_bytes import enrolment_bytes


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Admitting]:
    folder = tmp_path_factory.mktemp("admitting")
    with admitting(make_hall(folder / "hall"), folder) as found:
        yield found


@contextmanager
def raw(hall: Admitting) -> Iterator[tuple[ssl.SSLSocket, IO[bytes]]]:
    """Connect as anybody can."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    with socket.create_connection((ADDRESS, hall.port), 60) as plain, context.wrap_socket(plain) as connection:
        yield connection, connection.makefile("rb")


def sent(message: dict[str, Any]) -> bytes:
    return json.dumps({"v": 1, **message}).encode() + b"\n"


@dataclass
class Relay:
    """Passes lines on between a device and the hall, and keeps them."""

    certificate: Path
    key: Path
    to: int
    lines: list[bytes] = field(default_factory=list)

    @contextmanager
    def running(self) -> Iterator[int]:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.certificate, self.key)
        with socket.create_server((ADDRESS, 0)) as server:
            thread = threading.Thread(target=self._serve, args=(server, context), daemon=True)
            thread.start()
            yield server.getsockname()[1]
        thread.join()

    def _serve(self, server: socket.socket, context: ssl.SSLContext) -> None:
        plain, _ = server.accept()
        outwards = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        outwards.check_hostname, outwards.verify_mode = False, ssl.CERT_NONE
        with (
            context.wrap_socket(plain, server_side=True) as inner,
            outwards.wrap_socket(socket.create_connection((ADDRESS, self.to))) as outer,
        ):
            said, answered = inner.makefile("rb"), outer.makefile("rb")
            while line := said.readline():
                self.lines.append(line)
                outer.sendall(line)
                inner.sendall(answered.readline())


def relay(folder: Path, files: HallFiles, to: int, *, of_device: bool) -> Relay:
    """Return a relay with the certificate of a device of the hall, or one of another hall."""
    key = Ed25519PrivateKey.generate()
    authority = files.authority if of_device else make_hall(folder / "foreign").authority
    ends = datetime.now(UTC) + timedelta(days=9)
    issued = (
        authority.device("c-aaaaaaaaaaaaaaaa", key.public_key(), ends) if of_device else authority.broker(key.public_key(), ["x"], ends)
    )
    (folder / "relay.pem").write_bytes(issued.public_bytes(Encoding.PEM))
    (folder / "relay.key").write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    return Relay(folder / "relay.pem", folder / "relay.key", to)


@pytest.mark.parametrize("of_device", [True, False])
def test_a_token_never_reaches_a_program_in_between(hall: Admitting, tmp_path: Path, of_device: bool) -> None:
    places = device(tmp_path)
    keys = keys_of(places)
    with hall.files.changing():
        (token,) = new_tokens(hall.files, [TokenUse(kind="clock", name="", table=1)])
    between = relay(tmp_path, hall.files, hall.port, of_device=of_device)
    with (
        between.running() as port,
        pytest.raises(
            HallUnreachable,
            check=with_fields(found=f"a machine with{'' if of_device else 'out'} a {'device' if of_device else 'hall'}'s certificate"),
        ),
    ):
        enrol(HallPort(ADDRESS, port, hall.pin), keys, request_of(places, keys), token, lambda _: None)
    assert len(between.lines) == 1
    assert token.encode() not in b"".join(between.lines)
    # It is still good for the device.
    assert enrol(hall.hall_port, keys, request_of(places, keys), token, lambda _: None).grant.hall == "club"


def test_the_digits_of_a_device_that_speaks_with_another_hall_admit_nobody(hall: Admitting, tmp_path: Path) -> None:
    # A hall of the same name in between asks the real one at the same time, with keys of its own.
    victim, impostor = device(tmp_path / "victim"), device(tmp_path / "impostor")
    shown: list[ToCompare] = []
    waits = [threading.Semaphore(0), threading.Semaphore(0)]
    (tmp_path / "between").mkdir()

    def show(compare: ToCompare, waiting: threading.Semaphore) -> None:
        shown.append(compare)
        waiting.release()

    def ask(port: HallPort, places: Any, waiting: threading.Semaphore) -> None:
        keys = keys_of(places)
        with suppress(HallUnreachable):
            enrol(port, keys, request_of(places, keys), None, lambda compare: show(compare, waiting))

    with admitting(make_hall(tmp_path / "between" / "hall"), tmp_path / "between") as between:
        asks = (
            threading.Thread(target=ask, args=(HallPort(ADDRESS, between.port), victim, waits[0]), daemon=True),
            threading.Thread(target=ask, args=(HallPort(ADDRESS, hall.port), impostor, waits[1]), daemon=True),
        )
        for each, waiting in zip(asks, waits, strict=True):
            each.start()
            assert waiting.acquire(timeout=60)
        seen, asked = shown
        assert (seen.hall, asked.hall) == ("club", "club")
        denied = hall.director(seen.digits)
        assert (denied.returncode, denied.stdout) == (1, "")
        assert asked.digits in hall.director().stdout


def test_a_request_that_was_not_committed_to_is_refused(hall: Admitting, tmp_path: Path) -> None:
    places = device(tmp_path)
    keys = keys_of(places)
    text, secret = request_of(places, keys).model_dump_json(), secrets.token_hex(16)
    for committed in (commitment(text, secret[::-1]), commitment(text + " ", secret), None):
        with raw(hall) as (connection, lines):
            connection.sendall(sent({"do": "enrol", "commitment": committed}))
            opening = json.loads(lines.readline())
            ca = hall.files.authority.certificate.public_bytes(Encoding.DER)
            signed = enrolment_bytes(Conversation(ca, text, secret, opening["nonce"]).transcript)
            proofs = {"proof": keys.own.sign(signed), "link_proof": keys.link.sign(signed)}
            connection.sendall(sent({"request": text, "secret": secret, **proofs}))
            assert json.loads(lines.readline())["reason"] == NotGranted.BAD_PROOF


def test_who_has_only_the_public_half_of_a_key_is_refused(hall: Admitting, tmp_path: Path) -> None:
    places, other = device(tmp_path / "one"), device(tmp_path / "other")
    keys, stolen = keys_of(other), keys_of(places)
    request = request_of(places, stolen)
    with pytest.raises(EnrolmentRefused, check=with_fields(found=NotGranted.BAD_PROOF)):
        enrol(hall.hall_port, keys, request, None, lambda _: None)


@pytest.mark.parametrize(
    "line",
    [
        b"\n",
        b"no json\n",
        b"[]\n",
        b'{"v": 2, "do": "enrol"}\n',
        b'{"v": 1, "do": "rule"}\n',
        b"\xff\xfe\n",
        b"[" * 9_000 + b"\n",
        b"x" * (LONGEST + 1),
    ],
    ids=["empty", "no json", "a list", "version 2", "another verb", "no text", "deep", "long"],
)
def test_what_is_no_message_gets_a_reason_and_harms_nobody(hall: Admitting, line: bytes) -> None:
    with raw(hall) as (connection, lines):
        connection.sendall(line)
        assert json.loads(lines.readline())["reason"] == NotGranted.MALFORMED
    assert hall.director().returncode == 0
    assert hall.process.poll() is None


def test_one_address_cannot_take_all_connections(hall: Admitting) -> None:
    with ExitStack() as stack:
        held = [stack.enter_context(raw(hall))[0] for _ in range(MAX_CONNECTIONS_OF_ADDRESS + 1)]
        assert held[-1].recv(1) == b""


def test_digits_are_eight_and_differ_with_all_that_was_sent() -> None:
    said = Conversation(b"ca", "request", "aa", "bb")
    others = [Conversation(b"cb", "request", "aa", "bb"), Conversation(b"ca", "r", "aa", "bb"), Conversation(b"ca", "request", "ab", "bb")]
    digits = [digits_of(each.transcript) for each in (said, *others, Conversation(b"ca", "request", "aa", "bc"))]
    assert len(set(digits)) == len(digits)
    for typed in (digits[0], digits[0].replace("-", ""), f" {digits[0].replace('-', ' ')}\n"):
        assert as_typed(typed) == digits[0]
    assert as_typed(said.transcript) == said.transcript
    assert [as_typed(wrong) for wrong in ("", "123", "1234-567", "1234-56789", "x" * 64)] == [None] * 5
