"""How many files, sockets and pipes a program may have open."""

from __future__ import annotations

import resource


def raise_file_limit() -> None:
    """Allow as many descriptors as the system does: the usual limit of 1,024 is below the connections of a full hall."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
