"""A look at the display from a process of its own: SDL may hang or crash on a broken driver, and must not take the self-test with it.

Run as ``python -m hardware.display.probe``: opens a hidden window and prints what SDL opened it on, as JSON, or SDL's complaint.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import asdict, dataclass
from typing import Final

from hardware.display.sdl import ACCELERATION, SETTINGS, acceleration

TIMEOUT_S: Final = 15


@dataclass(frozen=True, slots=True)
class Display:
    """What SDL draws on: its driver, and the screen's width and height in pixels."""

    driver: str
    width: int
    height: int


def probe_display() -> Display | str:
    """Return the display, or why there is none."""
    command = [sys.executable, "-m", __name__]
    environment = {**os.environ, "PYGAME_HIDE_SUPPORT_PROMPT": "1"}
    try:
        answer = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT_S, check=False, env=environment)  # noqa: S603 - ourselves
    except subprocess.TimeoutExpired:
        return f"SDL hung for {TIMEOUT_S} s"
    return read_answer(answer.returncode, answer.stdout, answer.stderr)


def read_answer(code: int, said: str, complained: str) -> Display | str:
    """Return what the process said with its exit code: a display, or why there is none."""
    if code != 0:
        last = complained.strip().rpartition("\n")[2]
        return f"SDL ended with {f'signal {-code}' if code < 0 else f'exit code {code}'}" + (f" ({last})" if last else "")
    answer = json.loads(said)
    return answer if isinstance(answer, str) else Display(**answer)


def main() -> None:
    """Open the display as a window does, but hidden, and print what it is."""
    import pygame  # noqa: PLC0415 - only in the process of its own

    os.environ.update(SETTINGS)
    try:
        pygame.display.init()
        os.environ[ACCELERATION] = acceleration(pygame.display.get_driver())
        info = pygame.display.Info()
        display = Display(pygame.display.get_driver(), info.current_w, info.current_h)
        pygame.display.set_mode((320, 240), pygame.HIDDEN)
    except pygame.error as error:
        sys.stdout.write(json.dumps(str(error)))
    else:
        sys.stdout.write(json.dumps(asdict(display)))


if __name__ == "__main__":
    main()
