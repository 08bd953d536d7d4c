"""The director's key, which signs orders: it lies encrypted in the hall's folder, and is unlocked by the director's passphrase."""

from __future__ import annotations

import base64
from dataclasses import dataclass, field
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from faults.errors import TileclockError, reason
from hall.errors import HallFolderError
from hall.keys.authority import public_text


class WrongPassphrase(TileclockError, ValueError):
    """The passphrase does not open the director's key."""


@dataclass(frozen=True, slots=True)
class DirectorKey:
    """The unlocked key. It stays in this process."""

    public: str
    """The raw public key in base64."""
    private: Ed25519PrivateKey = field(repr=False)

    def sign(self, data: bytes) -> str:
        """Return the signature of ``data`` in base64."""
        return base64.b64encode(self.private.sign(data)).decode("ascii")


def unlock_director(path: Path, passphrase: bytes) -> DirectorKey:
    """Return the director's key in ``path``. That of a hall for trials lies in plain text: any passphrase opens it. Raises ``WrongPassphrase``, ``HallFolderError``."""
    try:
        private = _opened(path.read_bytes(), passphrase)
    except OSError as error:
        raise _no_key(path, reason(error)) from error
    if not isinstance(private, Ed25519PrivateKey):
        raise _no_key(path, "another kind of key")
    return DirectorKey(public_text(private), private)


def _opened(pem: bytes, passphrase: bytes) -> object:
    if b"ENCRYPTED" not in pem:
        try:
            return load_pem_private_key(pem, None)
        except ValueError:
            return None
    try:
        return load_pem_private_key(pem, passphrase or b"\0")
    except ValueError as error:
        raise WrongPassphrase(expected="the director's passphrase", found="another one", remedy="Type it again") from error


def _no_key(path: Path, found: str) -> HallFolderError:
    return HallFolderError(
        where=path,
        expected="the director's key",
        found=found,
        remedy="Name the file director.pem that `tilehall init` has made, as its owner",
    )
