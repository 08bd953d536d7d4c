"""A list read whole and proven, by a process of its own: ``python -m kiosk.lexicons.proof FILE``.

Not in the station's: reading 270,000 words takes 40 MB that a long-lived process never quite gives back, and holds up its screen. It answers with a line of JSON, and
with the SHA-256 of the very bytes that it proved: whoever asks has a sealed copy of its own, and holds that hash against it. It reads on only while its standard
input stays open, which is the end of a pipe that the station holds: with the station, however that ends, it ends too.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from appliance.errors import reason
from appliance.phrase import Phrase
from lexicon import Lexicon, LexiconError
from lexicon.errors import Damaged, Replaced, Unreadable

LONGEST_S: Final = 120
"""What a list of a million words needs on a small machine, many times over; a busier machine and a file made to be read for ever are given up alike."""
_STDIN: Final = 0
_ROOT: Final = Path(__file__).parents[2]


def prove(path: str, sha256: str, longest_s: float = LONGEST_S) -> None:
    """Read all of the lexicon at ``path`` and hold it against its header.

    Args:
        path: of the file.
        sha256: of all the bytes that were opened, in hex; they must be the ones that are proven.
        longest_s: seconds after which it is given up.

    Raises:
        Unreadable: the disk fails, or there is no memory or no process to read it with, or it takes too long.
        Replaced: it is no longer what was opened.
        Damaged: something in it is not as it was built.
    """
    answer = _answer(path, longest_s)
    if answer["unreadable"] is not None:
        raise Unreadable(**answer["unreadable"])
    # Before what was found wrong with it: that would be said of other bytes.
    if answer["sha256"] != sha256:
        raise Replaced(
            where=path,
            expected="a file that stays as it is while it is read",
            found="it changed",
            remedy="Wait until nothing writes to it: the list in use is then read again by itself, another must be chosen again",
        )
    if answer["damaged"] is not None:
        raise Damaged(**answer["damaged"])


def _answer(path: str, longest_s: float) -> dict[str, Any]:
    command = [sys.executable, "-P", "-m", "kiosk.lexicons.proof", path]
    environment = {**os.environ, "PYTHONPATH": str(_ROOT)}
    try:
        with _held() as line:
            done = subprocess.run(command, stdin=line, capture_output=True, env=environment, timeout=longest_s, check=False)  # noqa: S603 - this module itself
    except subprocess.TimeoutExpired as error:
        # No damage was found: a machine that is busy with something else takes as long over a sound list.
        raise Unreadable(
            where=path,
            expected=Phrase("to read it whole within {seconds:g} s", seconds=longest_s),
            found="that it takes longer",
            remedy="Close other programs, or choose another file",
        ) from error
    except OSError as error:
        raise Unreadable(
            where=path, expected="to start a process that reads it", found=reason(error), remedy="Close other programs"
        ) from error
    try:
        answer: dict[str, Any] = json.loads(done.stdout)
    except ValueError as error:
        raise Unreadable(
            where=path,
            expected="to read it whole",
            found=Phrase("that its reader ended by code {code}", code=done.returncode),
            remedy="Copy the file to a sound disk, or free memory",
        ) from error
    return answer


@contextmanager
def _held() -> Iterator[int]:
    """Give the end to read of a pipe, into which nothing is written; this process, and no other that it starts, holds the other end open."""
    line, ours = os.pipe()
    try:
        yield line
    finally:
        os.close(line)
        os.close(ours)


def _end_with_the_station() -> None:
    """End this process when nobody holds the other end of standard input any more; were it before this was asked."""
    while os.read(_STDIN, 1):
        pass
    os._exit(1)


def main(path: str) -> None:
    """Prove the file at ``path``, and print what was found as JSON."""
    # The station blocks these for itself, and a child inherits that.
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    sha256 = damaged = unreadable = None
    try:
        with Lexicon.open(path, copied=True) as lexicon:
            sha256 = lexicon.sha256()
            lexicon.verify()
    except Unreadable as error:
        unreadable = _fields(error)
    except LexiconError as error:
        damaged = _fields(error)
    json.dump({"damaged": damaged, "unreadable": unreadable, "sha256": sha256}, sys.stdout)


def _fields(error: LexiconError) -> dict[str, str]:
    return {"expected": error.expected, "found": error.found, "remedy": error.remedy, "where": error.where}


if __name__ == "__main__":
    threading.Thread(target=_end_with_the_station, daemon=True).start()
    main(sys.argv[1])
