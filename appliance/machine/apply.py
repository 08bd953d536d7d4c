"""Applies the machine's settings: files in one folder, the time zone link, the host name. The card's boot runs it as root.

The root file system is read-only: the image (systemd/card) points the system's services to these folders.
"""

from __future__ import annotations

import os
import socket
from pathlib import Path
from typing import Final

from appliance.errors import MachineError
from appliance.machine.files import KEYS, WIFI, MachineFile, files, host_name
from appliance.machine.model import MachineSettings
from faults.errors import reason

VOLATILE: Final = Path("/run/tileclock-machine")
"""Settings of this boot."""
PERSISTENT: Final = Path("/var/lib/tileclock-machine")
"""Settings that survive a boot, on the data partition: the time zone applies from the start."""
MACHINE_ID: Final = Path("/etc/machine-id")
ZONES: Final = Path("/usr/share/zoneinfo")


def apply(settings: MachineSettings, program: str, volatile: Path = VOLATILE, persistent: Path = PERSISTENT) -> str:
    """Apply ``settings`` and return the machine's name.

    Raises:
        MachineError: a file or the name cannot be written: not root, or not our card.
    """
    try:
        name = host_name(settings, program, MACHINE_ID.read_text(encoding="ascii").strip())
        wanted = {file.name: file for file in files(settings, name)}
        for each in (WIFI, KEYS):
            if each not in wanted:
                (volatile / each).unlink(missing_ok=True)
        for file in wanted.values():
            _write(volatile, file)
        _link(persistent / "localtime", ZONES / settings.time_zone)
        socket.sethostname(name)
    except OSError as error:
        expected = "to write the machine's settings as root on a card made by `make image`"
        raise MachineError(where=error.filename or "its name", expected=expected, found=reason(error)) from error
    return name


def _write(folder: Path, file: MachineFile) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    new = folder / f".{file.name}"
    new.unlink(missing_ok=True)
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, file.mode), "w", encoding="utf-8") as opened:
        os.fchmod(opened.fileno(), file.mode)
        opened.write(file.content)
    new.replace(folder / file.name)


def _link(link: Path, target: Path) -> None:
    if link.is_symlink() and link.readlink() == target:
        return
    new = link.with_name(f".{link.name}")
    new.unlink(missing_ok=True)
    new.symlink_to(target)
    new.replace(link)
