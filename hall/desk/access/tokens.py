"""Tokens against forged forms: each form repeats a code that only a page of this desk, for this browser, can know."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from typing import Final

FIELD: Final = "token"
"""The hidden field of each form."""
HEADER: Final = "x-desk-token"
"""The header of a request by script."""
_KEY_BYTES: Final = 32


class Tokens:
    """Makes and checks tokens. They end with the desk's process, and with the cookie that they belong to."""

    def __init__(self) -> None:
        self._key = secrets.token_bytes(_KEY_BYTES)

    def token(self, cookie: str) -> str:
        """Return the token for the forms of the browser with this cookie."""
        return hmac.new(self._key, cookie.encode(), hashlib.sha256).hexdigest()

    def fits(self, cookie: str, token: str) -> bool:
        """Return whether ``token`` belongs to ``cookie``."""
        return bool(cookie) and hmac.compare_digest(self.token(cookie).encode(), token.encode("utf-8", "replace"))
