"""A device's own Ed25519 key; the check of anybody's signature, and of a signed head. Import it late: ``cryptography`` takes 20 ms and 6 MB."""

import base64
import binascii
from pathlib import Path
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from msgspec import Struct

from appliance.records.files import OWNER_ONLY, folder_lock, write_whole
from faults.errors import TileclockError, reason
from wire.reports import SignedHead
from wire.topics import device_id, signed_bytes


class DeviceKeyError(TileclockError, OSError):
    """The device's key cannot be read or made."""


class SigningKey(Struct, frozen=True):
    """A key that signs. It stays in this process."""

    private: Ed25519PrivateKey

    @property
    def public(self) -> str:
        return key_text(self.private.public_key())

    def sign(self, data: bytes) -> str:
        return base64.b64encode(self.private.sign(data)).decode()


class DeviceKey(SigningKey, frozen=True):
    device: str


def key_text(key: Ed25519PublicKey) -> str:
    return base64.b64encode(key.public_bytes_raw()).decode()


def load_key(path: Path, kind: str, permissions: int = OWNER_ONLY) -> DeviceKey:
    """Return the key in ``path``, a PEM file; make it with ``permissions``, for its owner alone, if it is missing. Raises ``DeviceKeyError``.

    ``kind``: ``topics.CLOCK`` or ``topics.STATION``.
    """
    try:
        if not path.exists():
            # The device's program and its enrolment may begin at the same time; both must get one key.
            with folder_lock(path.parent):
                _make_missing(path, permissions)
        private = _read(path)
    except OSError as error:
        raise _refused(path, reason(error), "Check that its folder exists and is writable") from error
    return DeviceKey(private, device_id(kind, private.public_key().public_bytes_raw()))


def signature_fits(public: str, signature: str, data: bytes) -> bool:
    """Return whether ``signature`` of ``data`` was made with the private half of ``public`` (both base64). Never raises."""
    try:
        key = Ed25519PublicKey.from_public_bytes(base64.b64decode(public, validate=True))
        key.verify(base64.b64decode(signature, validate=True), data)
    except (InvalidSignature, ValueError, binascii.Error):
        return False
    return True


def _read(path: Path) -> Ed25519PrivateKey:
    try:
        private = serialization.load_pem_private_key(path.read_bytes(), None)
    except (ValueError, TypeError) as error:
        raise _refused(path, "another kind of file") from error
    if not isinstance(private, Ed25519PrivateKey):
        raise _refused(path, "a key of another kind")
    return private


def _make_missing(path: Path, permissions: int) -> None:
    if not path.exists():
        private = Ed25519PrivateKey.generate()
        pem = private.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
        write_whole(path, pem, permissions, for_owner=True)


_ANEW: Final = "Rename the file, and enrol the device again: it gets a new key and a new id"


def _refused(path: Path, found: str, remedy: str = _ANEW) -> DeviceKeyError:
    return DeviceKeyError(where=path, expected="this device's Ed25519 key", found=found, remedy=remedy)


def signed_head(key: DeviceKey, epoch: str, seq: int, head: str) -> SignedHead:
    signature = key.sign(signed_bytes("tc/2 head", key.device, epoch, str(seq), head))
    return SignedHead(seq=seq, head=head, key=key.public, signature=signature)


def is_genuine(device: str, epoch: str, signed: SignedHead) -> bool:
    if device_id(device[:1], base64.b64decode(signed.key)) != device:
        return False
    return signature_fits(signed.key, signed.signature, signed_bytes("tc/2 head", device, epoch, str(signed.seq), signed.head))
