"""The programs of the hall for trying out as child processes, each with its log in a file, and the end of all of them by a signal."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType, MappingProxyType
from typing import Final, NoReturn

from appliance.service.signals import ENDING
from hall.errors import HallDemoError
from kiosk.demo.beside import POSITION, position
from kiosk.demo.bound import bound

_PATIENCE_S: Final = 10.0


@dataclass(frozen=True, slots=True)
class ChildProgram:
    """A running program."""

    process: subprocess.Popen[bytes]
    log: Path

    def require_well(self) -> None:
        """Raise if it has failed."""
        if (code := self.process.poll()) is not None and code > 0:
            found = self.log.read_text(encoding="utf-8", errors="replace").strip().rpartition("\n")[2]
            raise HallDemoError(where=self.log.stem, expected="that it goes on", found=found or f"exit code {code}")


@contextmanager
def running(
    words: Sequence[str], log: Path, place: tuple[int, int] = (0, 0), environment: Mapping[str, str] = MappingProxyType({})
) -> Iterator[ChildProgram]:
    """Run a program, which ends with this one, even if this is killed; ``environment`` is added to its own."""
    with log.open("wb") as said:
        process = subprocess.Popen(  # noqa: S603 - our own programs
            words,
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=said,
            env={**os.environ, POSITION: position(place), **environment},
            preexec_fn=bound(),  # noqa: PLW1509 - there are no other threads
        )
    try:
        yield ChildProgram(process, log)
    finally:
        process.terminate()
        try:
            process.wait(_PATIENCE_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@contextmanager
def exit_on_signals() -> Iterator[None]:
    """Have the first signal end the program in order; further ones change nothing."""
    before = {each: signal.signal(each, _exit) for each in ENDING}
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)


def _exit(_signal: int, _frame: FrameType | None) -> NoReturn:
    for each in ENDING:
        signal.signal(each, signal.SIG_IGN)
    raise SystemExit(0)
