"""The director's PIN 2468 as the settings keep it, at the least cost that scrypt takes: no test waits for it."""

import base64
import hashlib

KEPT_PIN = "$".join(
    ("scrypt$2$1$1", *(base64.b64encode(each).decode() for each in (b"s", hashlib.scrypt(b"2468", salt=b"s", n=2, r=1, p=1))))
)
