"""What a link needs to know. Standard library only: the running link has 25 MB of memory at most."""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple


class LinkPlan(NamedTuple):
    """The two ends of a link. No dataclass, here and in the link's other modules: that module alone takes 1.5 MB."""

    hall: str
    host: str
    """The broker's."""
    port: int
    ca: Path
    certificate: Path
    key: Path
    device: str
    """The device's id, which the certificate is issued for."""
    socket: Path
    """The device's local socket."""
    ends: str = ""
    """The certificate's last day, for sentences; empty: unknown."""
    renew_at: int = 0
    """From when on the certificate is to be renewed, in s since 1970; 0: never by the link."""
    enrol_port: int = 0
    """The hall's port for that."""
    look_from: str = ""
    """Where ``host`` is empty: the address of this machine from which the broker is looked for; empty: all."""

    def to_json(self) -> str:
        """Return the plan as an argument for the running link."""
        return json.dumps(self._asdict(), default=str)

    @classmethod
    def from_json(cls, text: str) -> LinkPlan:
        """Return the plan of such an argument."""
        fields = json.loads(text)
        return cls(**fields | {name: Path(fields[name]) for name in ("ca", "certificate", "key", "socket")})
