"""Read organisers' files in a process of its own: ``python -m hall.event.apart``.

Whatever a file is made of, its reading ends: the kernel ends a process that takes too much, which nothing can do with a thread. Its own interpreter also leaves the
processor's turns to the pages of the desk.
"""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct
from msgspec.structs import astuple

from appliance.log import get_logger
from appliance.texts import received, sent
from faults.errors import Phrase, reason
from hall.event.model import Event
from hall.event.parsing import Problem, UnreadableEvent
from hall.event.reading import read_import

LONGEST_S: Final = 60.0
"""Then a busy machine too is given up."""
_PROCESSOR_S: Final = 20
"""Many times what an import takes, on a small machine too."""
_MEMORY: Final = 512 * 1024 * 1024
"""Of addresses; an import of 8 MB takes a quarter."""
_ROOT: Final = Path(__file__).parents[2]
_COMMAND: Final = (sys.executable, "-P", "-m", "hall.event.apart")
_FILES: Final = "these files"


class _Asked(Struct, frozen=True):
    files: Mapping[str, bytes]
    known: Event


class _Answer(Struct, frozen=True):
    """What a page says in any language comes as ``sent`` makes it."""

    event: Event
    gone: list[Any] = []
    passed: list[Any] = []
    problems: list[list[Any]] = []
    """The fields of each."""


def read_apart(files: Mapping[str, bytes], known: Event) -> tuple[Event, list[Phrase]]:
    """Return what ``read_import`` returns; raises ``UnreadableEvent`` as it does, and where the reading takes too much."""
    environment = {**os.environ, "PYTHONPATH": str(_ROOT)}
    asked = msgspec.msgpack.encode(_Asked(files, known))
    try:
        done = subprocess.run(_COMMAND, input=asked, capture_output=True, env=environment, timeout=LONGEST_S, check=False)  # noqa: S603 - this module itself
    except subprocess.TimeoutExpired:
        raise _too_long() from None
    except OSError as error:
        raise UnreadableEvent.of(_FILES, "to start a process that reads them", reason(error), "Try again later") from error
    if done.returncode == -signal.SIGXCPU:
        raise _too_long()
    if done.returncode != 0:
        get_logger().warning("files of an event ended their reader", code=done.returncode, said=done.stderr.decode(errors="replace")[-200:])
        raise UnreadableEvent.of(_FILES, "files that can be read", "that their reader ended without an answer", _ONE_BY_ONE)
    answer = msgspec.msgpack.decode(done.stdout, type=_Answer)
    if answer.problems:
        raise UnreadableEvent([Problem(*map(received, fields)) for fields in answer.problems])
    return replace(answer.event, passed=tuple(map(received, answer.passed))), [*map(received, answer.gone)]


_ONE_BY_ONE: Final = "Import them one by one, and leave out the one that does this"


def _too_long() -> UnreadableEvent:
    return UnreadableEvent.of(_FILES, "files that are read within seconds", "that they take longer", _ONE_BY_ONE)


def bound() -> None:
    """Let the kernel end this process when it takes too much."""
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (_PROCESSOR_S, _PROCESSOR_S + 1))


def main() -> None:
    bound()
    asked = msgspec.msgpack.decode(sys.stdin.buffer.read(), type=_Asked)
    try:
        event, gone = read_import(asked.files, asked.known)
        answer = _Answer(replace(event, passed=()), [*map(sent, gone)], [*map(sent, event.passed)])
    except UnreadableEvent as error:
        answer = _Answer(Event(), problems=[[*map(sent, astuple(each))] for each in error.problems])
    sys.stdout.buffer.write(msgspec.msgpack.encode(answer))


if __name__ == "__main__":
    main()
