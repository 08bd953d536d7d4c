"""A list read whole and proven, by a process of its own: ``python -m kiosk.lexicons.proof FILE``.

Not in the station's: reading 270,000 words takes 40 MB that a long-lived process never quite gives back, holds up its screen, and a file that is cut meanwhile ends the
process that reads it. It answers with a line of JSON, and with the stamp of what it has read, so that a file that changed in between is not taken for the proven one.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

from kiosk.lexicons.stamp import Stamp, stamp
from lexicon import Lexicon, LexiconError
from lexicon.errors import Damaged, Unreadable

LONGEST_S: Final = 120
"""What a list of a million words needs on a small machine, many times over; a file made to be read for ever is given up."""
_ROOT: Final = Path(__file__).parents[2]


def prove(path: str, opened: Stamp | None, longest_s: float = LONGEST_S) -> None:
    """Read all of the lexicon at ``path`` and hold it against its header.

    Args:
        path: of the file.
        opened: its stamp before it was opened; it must still be that file, unchanged.
        longest_s: seconds after which it is given up.

    Raises:
        Unreadable: the disk fails, or there is no memory to read it with.
        Damaged: something in it is not as it was built, or it changed meanwhile.
    """
    answer = _answer(path, longest_s)
    if answer["unreadable"] is not None:
        raise Unreadable(answer["unreadable"])
    if answer["damaged"] is not None:
        raise Damaged(answer["damaged"])
    if answer["stamp"] is None or opened is None or tuple(answer["stamp"]) != opened:
        raise Damaged(f"{path}: expected a file that stays as it is while it is read, found it changed. It is read again by itself.")


def _answer(path: str, longest_s: float) -> dict[str, Any]:
    command = [sys.executable, "-P", "-m", "kiosk.lexicons.proof", path]
    environment = {**os.environ, "PYTHONPATH": str(_ROOT)}
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, env=environment, timeout=longest_s, check=False)  # noqa: S603 - this module itself
    except subprocess.TimeoutExpired as error:
        raise Damaged(f"{path}: expected a list that is read within {longest_s:g} s, found one that is not. Build it anew.") from error
    except OSError as error:
        raise Unreadable(f"{path}: expected to start a process that reads it, found: {error.strerror}. Close other programs.") from error
    try:
        answer: dict[str, Any] = json.loads(done.stdout)
    except ValueError as error:
        raise Unreadable(
            f"{path}: expected to read it whole, found that its reader ended by code {done.returncode}. Copy the file to a sound disk, or free memory."
        ) from error
    return answer


def main(path: str) -> None:
    """Prove the file at ``path``, and print what was found as JSON."""
    # The station blocks these for itself, and a child inherits that; one whose station has gone meanwhile ends by itself.
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    signal.alarm(LONGEST_S)
    before, damaged, unreadable = stamp(path), None, None
    try:
        with Lexicon.open(path) as lexicon:
            lexicon.verify()
    except Unreadable as error:
        unreadable = str(error)
    except LexiconError as error:
        damaged = str(error)
    same = before if before == stamp(path) else None
    json.dump({"damaged": damaged, "unreadable": unreadable, "stamp": same}, sys.stdout)


if __name__ == "__main__":
    main(sys.argv[1])
