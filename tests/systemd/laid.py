"""Everything of ``systemd/`` below a folder, where a machine has it, so that systemd's own tools can be asked about it. No systemd need run."""

import shutil
import subprocess
from pathlib import Path
from typing import Final

from tests.installed import require

UNITS: Final = Path(__file__).resolve().parents[2] / "systemd"
HOST: Final = Path("/usr/lib/systemd/system")
PROGRAMS: Final = ("tileclock", "tilekiosk")
COMMANDS: Final = (*PROGRAMS, "tilehall")
SYSTEM: Final = "usr/lib/systemd/system"


def shipped() -> list[Path]:
    return sorted(path for path in UNITS.iterdir() if path.suffix in (".service", ".path", ".mount"))


def laid(root: Path) -> Path:
    """Lay the units with their drop-ins below ``root``, beside those of systemd itself that they name; return ``root``."""
    require("systemd-analyze")
    shutil.copytree(HOST, root / SYSTEM, symlinks=True)
    for unit in (*shipped(), *(UNITS / "data").glob("*.mount")):
        shutil.copy(unit, root / SYSTEM)
    for folder in UNITS.glob("*.service.d"):
        shutil.copytree(folder, root / SYSTEM / folder.name, dirs_exist_ok=True)
    for name in (*(f"bin/{each}" for each in (*COMMANDS, "systemctl", "ln")), "lib/tileclock/update"):
        command = root / "usr" / name
        command.parent.mkdir(exist_ok=True, parents=True)
        command.write_text("#!/bin/sh\n")
        command.chmod(0o755)
    return root


def asked(*command: str | Path) -> tuple[int, str]:
    require("systemd-analyze")
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    return done.returncode, done.stdout
