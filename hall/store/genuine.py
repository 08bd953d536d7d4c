"""Whether a signed head is really by the device that it names."""

from __future__ import annotations

import base64

from wire.keys import signature_fits
from wire.messages.reports import SignedHead
from wire.signed_bytes import Head
from wire.topics import device_id


def is_genuine(device: str, epoch: str, signed: SignedHead) -> bool:
    """Return whether ``signed`` was signed by the key that makes the id ``device``."""
    if device_id(device[:1], base64.b64decode(signed.key)) != device:
        return False
    return signature_fits(signed.key, signed.signature, Head(device, epoch, signed.seq, signed.head, signed.root).signed_bytes)
