"""Read organisers' files in a process of its own: ``python -m hall.event.apart``.

Whatever a file is made of, its reading ends: the kernel ends a process that takes too much, which nothing can do with a thread. Its own interpreter also leaves the
processor's turns to the pages of the desk.
"""

import os
import pickle
import resource
import signal
import subprocess
import sys
from collections.abc import Mapping
from typing import Final

from appliance.log import get_logger
from faults.errors import Phrase
from hall.event.model import Event
from hall.event.parsing import Problem, UnreadableEvent
from hall.event.reading import read_import

LONGEST_S: Final = 60.0
"""Then a busy machine too is given up."""
_PROCESSOR_S: Final = 20
"""Many times what an import takes, on a small machine too."""
_MEMORY: Final = 512 * 1024 * 1024
"""Of addresses; an import of 8 MB takes a quarter."""
_COMMAND: Final = (sys.executable, "-P", "-m", "hall.event.apart")
_FILES: Final = "these files"


def read_apart(files: Mapping[str, bytes], known: Event) -> tuple[Event, list[Phrase]]:
    """Return what ``read_import`` returns; raises ``UnreadableEvent`` as it does, and where the reading takes too much."""
    # Where this process finds its modules.
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    asked = pickle.dumps((files, known))
    try:
        done = subprocess.run(_COMMAND, input=asked, capture_output=True, env=environment, timeout=LONGEST_S, check=False)  # noqa: S603 - this module itself
    except subprocess.TimeoutExpired:
        raise _too_long() from None
    if done.returncode == -signal.SIGXCPU:
        raise _too_long()
    if done.returncode != 0:
        get_logger().warning("files of an event ended their reader", code=done.returncode, said=done.stderr.decode(errors="replace")[-200:])
        raise UnreadableEvent.of(_FILES, "files that can be read", "that their reader ended without an answer", _ONE_BY_ONE)
    answer: tuple[Problem, ...] | tuple[Event, list[Phrase]] = pickle.loads(done.stdout)  # noqa: S301 - our own program has written it
    if isinstance(answer[0], Event):
        return answer
    raise UnreadableEvent(answer)


_ONE_BY_ONE: Final = "Import them one by one, and leave out the one that does this"


def _too_long() -> UnreadableEvent:
    return UnreadableEvent.of(_FILES, "files that are read within seconds", "that they take longer", _ONE_BY_ONE)


def bound() -> None:
    """Let the kernel end this process when it takes too much."""
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (_PROCESSOR_S, _PROCESSOR_S + 1))


def main() -> None:
    bound()
    files, known = pickle.load(sys.stdin.buffer)  # noqa: S301 - as above
    answer: object
    try:
        answer = read_import(files, known)
    except UnreadableEvent as error:
        answer = error.problems
    pickle.dump(answer, sys.stdout.buffer)


if __name__ == "__main__":
    main()
