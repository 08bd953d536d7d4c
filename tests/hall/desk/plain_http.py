"""For clients of plain HTTP: httpx would read the certificates of all authorities for each client, which takes 20 ms."""

from __future__ import annotations

import ssl
from typing import Final

NO_CERTIFICATES: Final = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""It trusts no authority."""
