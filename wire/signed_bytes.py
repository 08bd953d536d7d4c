"""The exact bytes that each Ed25519 signature covers (docs/spec/wire.md).

Each signature's bytes begin with its purpose, so that no signature is good for another one.
"""

from __future__ import annotations


def head_bytes(device: str, epoch: str, seq: int, head: str) -> bytes:
    """Return what a device's signature of its chain's head covers; ``head``: the whole hash of row ``seq``, in hexadecimal."""
    return _lines("tc/2 head", device, epoch, str(seq), head)


def order_bytes(hall: str, body: str) -> bytes:
    """Return what the director's signature of an order covers; ``body`` is the text as sent."""
    return _lines("tc/1 order", hall, body)


def verdict_bytes(hall: str, body: str) -> bytes:
    """Return what a station's signature of a verdict covers; ``body`` is the text as sent."""
    return _lines("tc/1 verdict", hall, body)


def credential_bytes(hall: str, body: str) -> bytes:
    """Return what the hall's signature of a device's credential covers; ``body`` is the text as sent."""
    return _lines("tc/1 credential", hall, body)


def enrolment_bytes(transcript: str) -> bytes:
    """Return what a device's own key and its link's key sign to show that the device has them; ``transcript`` is the hash of the enrolment."""
    return _lines("tc/1 enrolment", transcript)


def renewal_bytes(hall: str, device: str, nonce: str) -> bytes:
    """Return what a link's key signs to renew the certificate of ``device``; ``nonce`` is the hall's."""
    return _lines("tc/1 renewal", hall, device, nonce)


def grant_bytes(hall: str, conversation: str, body: str) -> bytes:
    """Return what the hall's signature of an answer covers; ``conversation`` is the transcript of an enrolment, or the nonce of a renewal."""
    return _lines("tc/1 grant", hall, conversation, body)


def _lines(*lines: str) -> bytes:
    # The body comes last: it alone may contain line ends.
    return "\n".join(lines).encode()
