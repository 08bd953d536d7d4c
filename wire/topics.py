"""The topics of a hall, what a device keeps there, how a beat says what that is, and what signatures cover (docs/spec/wire.md).

Imports nothing heavy: the link uses it.
"""

import base64
import hashlib
import re
import zlib
from collections.abc import Mapping
from typing import Final, Literal, NamedTuple, TypeAlias

VERSION: Final = 1
HALL: Final = re.compile(r"[a-z0-9-]{1,32}")
EPOCH_DIGITS: Final = 16
"""Of the first row's hash, by which a journal or log is named."""
CLOCK: Final = "c"
STATION: Final = "s"


def device_id(kind: str, key: bytes) -> str:
    """Return the id of a device: ``kind`` (``CLOCK`` or ``STATION``) and the beginning of the hash of its raw public key, 32 bytes."""
    digest = hashlib.sha256(key).digest()[:10]
    return f"{kind}-{base64.b32encode(digest).decode('ascii').lower()}"


def is_device(name: str) -> bool:
    return re.fullmatch(r"[cs]-[a-z2-7]{16}", name) is not None


def is_station(name: str) -> bool:
    return is_device(name) and name.startswith(STATION)


def is_hall(name: str) -> bool:
    return HALL.fullmatch(name) is not None


class Topics(NamedTuple):
    """The topics of one hall. No dataclass: that module would cost the link 1.5 MB."""

    hall: str

    def of_device(self, device: str, what: str) -> str:
        """Return the topic on which a device reports: ``up``, ``state``, ``ack/...``."""
        return f"{self._prefix}/dev/{device}/{what}"

    def to_device(self, device: str, what: str) -> str:
        """Return the topic on which a device is addressed: ``want``, ``order``, ``verdict/{station}``."""
        return f"{self._prefix}/cmd/{device}/{what}"

    def reported(self, topic: str) -> tuple[str, str] | None:
        """Return device and rest of a device's topic; None: it is none of this hall."""
        return self._split(topic, "dev")

    def addressed(self, topic: str) -> tuple[str, str] | None:
        """Return device and rest of a topic that addresses a device; None: it is none of this hall."""
        return self._split(topic, "cmd")

    def _split(self, topic: str, branch: str) -> tuple[str, str] | None:
        prefix = f"{self._prefix}/{branch}/"
        if not topic.startswith(prefix):
            return None
        device, slash, rest = topic[len(prefix) :].partition("/")
        return (device, rest) if slash and rest and is_device(device) else None

    @property
    def _prefix(self) -> str:
        return f"tc/{VERSION}/{self.hall}"


KEPT: Final = ("up", "state", "call")
ANSWER: Final = "ack/"
"""The beginning of the topics with a device's answers; the id of the proposal follows."""


def checksum(payloads: Mapping[str, bytes]) -> int:
    """Return the CRC-32 of the payloads in the order of ``KEPT``, joined by line feeds; one that is missing is empty."""
    return zlib.crc32(b"\n".join(payloads.get(name, b"") for name in KEPT))


Signed: TypeAlias = Literal["tc/2 head", "tc/1 order", "tc/1 verdict", "tc/1 credential", "tc/1 enrolment", "tc/1 renewal", "tc/1 grant"]
"""What a signature is for. Its bytes begin with that, so that no signature is good for another one."""


def signed_bytes(what: Signed, *lines: str) -> bytes:
    """Return what an Ed25519 signature covers. A body, as text as it is sent, comes last: it alone may contain line ends."""
    return "\n".join((what, *lines)).encode()
