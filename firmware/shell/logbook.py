"""The log: a line on standard output for whoever looks after the machine, which systemd hands to journald."""

from __future__ import annotations

from typing import cast

import structlog


def log() -> structlog.typing.FilteringBoundLogger:
    """Return the program's logger."""
    return cast(structlog.typing.FilteringBoundLogger, structlog.get_logger())
