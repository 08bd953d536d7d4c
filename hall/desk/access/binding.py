"""Where the desk may listen: without a certificate on this machine only, so no password crosses a network in plain text."""

from __future__ import annotations

import ipaddress
from typing import Final

from hall.desk.access.roles import UnsafeBind
from hall.keys.pages import PageFiles, hosts_of

_NAMES: Final = ("localhost", "127.0.0.1", "::1")


def require_safe_bind(host: str, files: PageFiles | None, *, login: bool = True) -> None:
    """Check where the desk is to listen.

    Args:
        host: a name or an address.
        files: the certificate; None: there is none.
        login: whether everybody logs in.

    Raises:
        UnsafeBind: the network can reach it, and there is no certificate or no login.
    """
    if not login and not is_loopback(host):
        raise UnsafeBind(
            where=host,
            expected="a login for pages that the network can reach",
            found="none",
            remedy="Leave --no-login out, or let the desk listen on 127.0.0.1",
        )
    if files is None and not is_loopback(host):
        raise UnsafeBind(
            where=host,
            expected="a certificate for pages that the network can reach",
            found="none, so passwords would cross the network in plain text",
            remedy="Issue one with tilehall https, or let the desk listen on 127.0.0.1",
        )


def is_loopback(host: str) -> bool:
    """Return whether only programs of this machine reach ``host``."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def allowed_hosts(files: PageFiles | None) -> tuple[str, ...]:
    """Return the names that a request may ask for; another one is that of a site which leads its own name to this desk."""
    own = hosts_of(files.certificate) if files is not None else ()
    return tuple(dict.fromkeys((*_NAMES, *(f"[{each}]" for each in (*_NAMES, *own) if ":" in each), *own)))
