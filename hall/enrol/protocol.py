"""What device and hall say at the enrolment port, the digits that both show, and why the hall refuses (docs/spec/wire.md, "Certificates and enrolment").

One JSON object a line; no socket and no file here. The device commits itself to its request and a random number before it sees the hall's, and the hall sends its
own before it sees the request. So a program in between cannot try requests until the digits fit: it has one try for each conversation.
"""

import hashlib
import re
import socket
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Final, Literal, TypeAlias, TypeVar

from pydantic import BaseModel, Field

from hall.errors import HallError, explained
from wire.proposals import SignedBody
from wire.reports import Hash, Key, Line, Nonce, Proposal, Signature, Table

LONGEST: Final = 16_384
"""The most bytes of a line."""


class Opening(Proposal):
    """The device's first line."""

    do: Literal["enrol", "renew"]
    commitment: Hash | None = None


class HallOpening(Proposal):
    """The hall's first line."""

    ca: Annotated[str, Field(max_length=4_000)]
    """Its CA certificate, in PEM."""
    nonce: Nonce


class EnrolRequest(Proposal):
    """``request`` of an enrolment: who asks."""

    kind: Literal["clock", "station"]
    key: Key
    """The device's own, which its id follows from."""
    link_key: Key
    """Its link's, which the certificate is for."""
    name: Line = ""
    table: Table | None = None


class Reveal(Proposal):
    """The device's second line of an enrolment."""

    request: Annotated[str, Field(max_length=2_000)]
    """An ``EnrolRequest`` as text, to which the device has committed itself."""
    secret: Nonce
    proof: Signature
    """By the device's own key, over the transcript."""
    link_proof: Signature
    token: Nonce | None = None


class Renewal(Proposal):
    """The device's second line of a renewal."""

    device: Line
    proof: Signature
    """By the link's key, over hall, device and nonce."""


class HallAnswer(Proposal):
    """The hall's last line, or ``waiting`` before it."""

    answer: Literal["waiting", "granted", "refused"]
    body: Annotated[str, Field(max_length=LONGEST)] = ""
    """A ``Grant`` as text."""
    signature: Annotated[str, Field(max_length=88)] = ""
    """By the hall's key, over hall, conversation and body."""
    reason: str = ""
    """Why not: a key of ``SENTENCES``, or one of a later release."""


class Grant(Proposal):
    """``body`` of the answer."""

    hall: Line
    device: Line
    certificate: Annotated[str, Field(max_length=4_000)]
    director_key: Key
    credential: SignedBody | None


_DIGITS: Final = 8


def commitment(request: str, secret: str) -> str:
    """Return what a device sends first; ``secret`` is its random number in hexadecimal, unknown until the hall has sent its own."""
    return _hash("tc/1 commitment", _hash(request), secret)


def transcript_of(ca: bytes, request: str, secret: str, nonce: str) -> str:
    """Return the hash, in hexadecimal, of all that both sides have sent: the same on both only if both have seen the same.

    ``ca``: the hall's CA certificate, in DER. ``nonce``: the hall's random number in hexadecimal.
    """
    return _hash("tc/1 enrol", hashlib.sha256(ca).hexdigest(), _hash(request), secret, nonce)


def digits_of(transcript: str) -> str:
    """Return the digits to compare: ``1234-5678``."""
    number = f"{int(transcript, 16) % 10**_DIGITS:0{_DIGITS}}"
    return f"{number[:4]}-{number[4:]}"


def as_typed(text: str) -> str | None:
    """Return digits (with a hyphen, a blank or nothing between) in their form, or a whole transcript as a scanner types it; None: neither."""
    found = re.fullmatch(r"(\d{4})[ -]?(\d{4})", text.strip())
    if found is not None:
        return f"{found[1]}-{found[2]}"
    return text.strip() if re.fullmatch(r"[0-9a-f]{64}", text.strip()) else None


def fingerprint(certificate: bytes) -> str:
    """Return the SHA-256 of a certificate in DER."""
    return hashlib.sha256(certificate).hexdigest()


def _hash(*lines: str) -> str:
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


NotGranted: TypeAlias = Literal[
    "malformed",
    "bad_proof",
    "unknown_token",
    "used_token",
    "other_kind",
    "too_many",
    "too_late",
    "not_admitted",
    "ended",
    "no_date",
    "hall_fault",
]
SENTENCES: Final[Mapping[str, str]] = {
    "malformed": "The hall does not understand the request: install the same release on both machines.",
    "bad_proof": "The request is not signed by this device's keys: ask again.",
    "unknown_token": "The hall does not know this token: make a new file with `tilehall token`.",
    "used_token": "This token has been used by another device, or its device is revoked: make a new file with `tilehall token`.",
    "other_kind": "This token is for the other kind of device, a clock or a station: use the right file.",
    "too_many": "Too many devices ask at once: try again in a minute.",
    "too_late": "The director has not admitted this device within ten minutes: ask again.",
    "not_admitted": "The hall does not know this device, or has revoked it: enrol it again.",
    "ended": "This device's certificate ended more than 60 days ago: enrol it again.",
    "no_date": "The date of the hall's machine is wrong: set it there.",
    "hall_fault": "The hall cannot admit anybody now: its log says why.",
}

PASSING: Final = frozenset({"too_many", "no_date", "hall_fault"})
"""A later try may get another answer."""


MAX_BYTES: Final = 1 << 20
_PATIENCE_S: Final = 30.0
A = TypeVar("A", bound=BaseModel)


class AdmitRequest(Proposal):
    """What the director wants: the list, or to admit the device with these digits (or the whole transcript)."""

    admit: str | None = None


class WaitingDevice(Proposal):
    digits: str
    device: str
    about: Line
    address: str
    seconds: int


class AdmitAnswer(Proposal):
    outcome: Literal["list", "admitted", "unknown", "ambiguous", "refused"]
    waiting: tuple[WaitingDevice, ...] = ()
    """For ``list``; for ``admitted`` the one that has been."""
    reason: str = ""
    """For ``refused``."""


def ask(path: Path, wish: AdmitRequest) -> AdmitAnswer:
    """Return the service's answer; raises ``HallError`` if it does not run, or we are not its user."""
    with (
        explained(
            HallError,
            "the enrolment's service",
            where=path,
            found="another answer",
            remedy="Start it as root on the hall's machine: sudo systemctl start tilehall-admissions",
        ),
        socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection,
    ):
        connection.settimeout(_PATIENCE_S)
        connection.connect(str(path))
        connection.sendall(wish.model_dump_json().encode() + b"\n")
        with connection.makefile("rb") as lines:
            return AdmitAnswer.model_validate_json(lines.readline(MAX_BYTES))
