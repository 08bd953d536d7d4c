"""QEMU's monitor (QMP): what is done to the emulated machine from outside, one command at a time."""

import asyncio
from pathlib import Path
from typing import Any

from qemu.qmp import QMPClient


class Monitor:
    """A connection to a running emulator. Between two commands nothing is read: what QEMU has to tell meanwhile waits in the socket."""

    def __init__(self, socket: Path) -> None:
        self._runner = asyncio.Runner()
        self._client = QMPClient()
        self._runner.run(self._client.connect(str(socket)))

    def execute(self, command: str, **arguments: Any) -> Any:
        """Run a command of QMP and return its answer. A name's ``_`` stands for QMP's ``-``."""
        named = {name.replace("_", "-"): value for name, value in arguments.items()}
        return self._runner.run(self._client.execute(command, named))

    def human(self, line: str) -> str:
        """Run a line of the monitor for people, which has what QMP lacks, and return what it prints."""
        return str(self.execute("human-monitor-command", command_line=line))

    def close(self) -> None:
        """End the connection, the emulator's end or ours. More than once does no harm."""
        self._runner.run(self._disconnect())
        self._runner.close()

    async def _disconnect(self) -> None:
        try:
            await self._client.disconnect()
        except (EOFError, OSError):
            return  # the emulator has ended
