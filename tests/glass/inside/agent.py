"""Runs inside the emulated machine: makes the simulated pins, and then does what it is asked over the serial line.

Every answer has ``now``, CLOCK_MONOTONIC in ns after it was done.
"""

import base64
import os
import socket
import subprocess
import time
import tty
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

from tests.kernel.inside.framed import Said, serve
from tests.kernel.inside.simulated import Finger, make_chip

PORT: Final = "/dev/ttyS1"


class Agent:
    """What can be asked for: each method answers with what JSON takes."""

    def __init__(self) -> None:
        # A finger has a thread of its own: it runs before all others and stays on one processor, and what is run here for a test must not.
        self._hand = ThreadPoolExecutor(1)
        self._finger = self._hand.submit(Finger).result()

    def pull(self, moves: Sequence[tuple[int, bool, int]]) -> Said:
        """Pull lines, one after the other: (line, down, ns until the next). Return each one's instants before and after."""
        return {"pulls": self._hand.submit(self._pull, moves).result()}

    def _pull(self, moves: Sequence[tuple[int, bool, int]]) -> list[tuple[int, int]]:
        self._finger.pulls.clear()
        for line, down, pause in moves:
            self._finger.pull(line, down=down)
            time.sleep(pause / 1e9)
        return [(before, after) for _, _, before, after in self._finger.pulls]

    def lit(self, lines: Sequence[int]) -> Said:
        return {"lit": [line for line in lines if self._finger.value(line)]}

    def run(self, command: Sequence[str], seconds: float) -> Said:
        """Run a command to its end, or for so long."""
        try:
            done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=seconds, check=False)
        except subprocess.TimeoutExpired:
            return {"failed": f"{' '.join(command)} went on for more than {seconds} s"}
        return {"code": done.returncode, "out": done.stdout.decode(errors="replace"), "err": done.stderr.decode(errors="replace")}

    def read(self, path: str) -> Said:
        return {"raw": base64.b64encode(Path(path).read_bytes()).decode()}

    def write(self, path: str, raw: str) -> Said:
        Path(path).write_bytes(base64.b64decode(raw))
        return {}

    def answer(self, how: Said) -> Said:
        asked_for: dict[str, Callable[..., Said]] = {each.__name__: each for each in (self.pull, self.lit, self.run, self.read, self.write)}
        try:
            answer = asked_for[how.pop("do")](**how)
        except Exception as error:  # noqa: BLE001 - the test that asked fails with it
            answer = {"failed": repr(error)}
        return {**answer, "now": time.monotonic_ns()}


def ready() -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notifications:
        notifications.sendto(b"READY=1", os.environ["NOTIFY_SOCKET"])


if __name__ == "__main__":
    with open(PORT, "r+b", buffering=0) as raw:  # noqa: PTH123 - a device
        tty.setraw(raw.fileno())
        make_chip()
        agent = Agent()
        ready()
        serve(raw.fileno(), agent.answer)
