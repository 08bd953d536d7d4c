"""What device and hall say at the enrolment port: one JSON object a line (docs/spec/wire.md, "The enrolment port")."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from pydantic import Field

from wire.messages.base import Hash, Key, Line, Nonce, Proposal, Signature, Table
from wire.messages.proposals import Credential

LONGEST: Final = 16_384
"""The most bytes of a line."""
Token = Nonce
"""128 random bits in hexadecimal."""


class Opening(Proposal):
    """The device's first line."""

    do: Literal["enrol", "renew"]
    commitment: Hash | None = None
    """For ``enrol``."""


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
    """By the device's own key, over ``enrolment_bytes``."""
    link_proof: Signature
    """By the link's."""
    token: Token | None = None


class Renewal(Proposal):
    """The device's second line of a renewal."""

    device: Line
    proof: Signature
    """By the link's key, over ``renewal_bytes``."""


class HallAnswer(Proposal):
    """The hall's last line, or ``waiting`` before it."""

    answer: Literal["waiting", "granted", "refused"]
    body: Annotated[str, Field(max_length=LONGEST)] = ""
    """A ``Grant`` as text."""
    signature: Annotated[str, Field(max_length=88)] = ""
    """By the hall's key, over ``grant_bytes``."""
    reason: str = ""
    """Why not: a key of ``reasons.SENTENCES``."""


class Grant(Proposal):
    """``body`` of the answer."""

    hall: Line
    device: Line
    certificate: Annotated[str, Field(max_length=4_000)]
    """In PEM."""
    director_key: Key
    credential: Credential | None
    """A station's."""
