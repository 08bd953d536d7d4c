"""Signs the head of a chain, and says whether a signed head is really by the device that it names."""

from __future__ import annotations

import base64

from wire.keys import DeviceKey, signature_fits
from wire.messages.reports import SignedHead
from wire.signed_bytes import Head
from wire.topics import device_id


def signed_head(key: DeviceKey, epoch: str, seq: int, head: str, root: str) -> SignedHead:
    """Return the signature of a head; ``root``: the hall's last, ``n:root``, or empty."""
    signature = key.sign(Head(key.device, epoch, seq, head, root).signed_bytes)
    return SignedHead(seq=seq, head=head, root=root, key=key.public, signature=signature)


def is_genuine(device: str, epoch: str, signed: SignedHead) -> bool:
    """Return whether ``signed`` was signed by the key that makes the id ``device``."""
    if device_id(device[:1], base64.b64decode(signed.key)) != device:
        return False
    return signature_fits(signed.key, signed.signature, Head(device, epoch, signed.seq, signed.head, signed.root).signed_bytes)
