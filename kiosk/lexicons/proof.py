"""Read and verify a whole list in a process of its own: ``python -m kiosk.lexicons.proof FILE``.

Reading 270,000 words takes 40 MB that a long-lived process hardly gives back, and would block the screen. The process prints a line of JSON with the
SHA-256 of the bytes it verified; the caller compares that with its own sealed copy. The process runs only while its standard input is open, a pipe
held by the station: when the station ends, however that happens, the process ends too.
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

from faults.errors import Phrase, reason
from lexicon import Lexicon, LexiconError
from lexicon.errors import Damaged, Replaced, Unreadable

LONGEST_S: Final = 120
"""Many times what a list of a million words needs on a small machine; then a busy machine and an endless file are both given up."""
_STDIN: Final = 0
_ROOT: Final = Path(__file__).parents[2]


def prove(path: str, sha256: str, longest_s: float = LONGEST_S) -> None:
    """Read the whole lexicon at ``path`` and compare it with its header; ``sha256`` (hex) is that of all bytes of the opened copy.

    Raises Unreadable: the disk fails, memory or processes are short, or it takes more than ``longest_s``; Replaced: the file is no longer the
    opened one; Damaged: its content is not as built.
    """
    answer = _answer(path, longest_s)
    if answer["unreadable"] is not None:
        raise Unreadable(**_received_fields(answer["unreadable"]))
    # First, because any other fault would concern other bytes.
    if answer["sha256"] != sha256:
        raise Replaced(
            where=path,
            expected="a file that stays as it is while it is read",
            found="it changed",
            remedy="Wait until nothing writes to it: the list in use is then read again by itself, another must be chosen again",
        )
    if answer["damaged"] is not None:
        raise Damaged(**_received_fields(answer["damaged"]))


def _answer(path: str, longest_s: float) -> dict[str, Any]:
    command = [sys.executable, "-P", "-m", "kiosk.lexicons.proof", path]
    environment = {**os.environ, "PYTHONPATH": str(_ROOT)}
    try:
        with _held() as line:
            done = subprocess.run(command, stdin=line, capture_output=True, env=environment, timeout=longest_s, check=False)  # noqa: S603 - this module itself
    except subprocess.TimeoutExpired as error:
        # No damage was found: a busy machine takes this long even with a valid list.
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
            remedy="Copy the file to a working disk, or free memory",
        ) from error
    return answer


@contextmanager
def _held() -> Iterator[int]:
    line, ours = os.pipe()
    try:
        yield line
    finally:
        os.close(line)
        os.close(ours)


def _end_with_the_station() -> None:
    """End this process once the other end of standard input is closed, even if that has happened already."""
    while os.read(_STDIN, 1):
        pass
    os._exit(1)


def main(path: str) -> None:
    # The station blocks these signals for itself, and a child inherits that.
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    json.dump(examined(path), sys.stdout)


def examined(path: str) -> dict[str, Any]:
    """Return the process's answer: what is wrong with the list, and the hash of what was read."""
    sha256 = damaged = unreadable = None
    try:
        with Lexicon.open(path, copied=True) as lexicon:
            sha256 = lexicon.sha256()
            lexicon.verify()
    except Unreadable as error:
        unreadable = _fields(error)
    except LexiconError as error:
        damaged = _fields(error)
    return {"damaged": damaged, "unreadable": unreadable, "sha256": sha256}


def _fields(error: LexiconError) -> dict[str, object]:
    return {name: _sent(getattr(error, name)) for name in ("expected", "found", "remedy", "where")}


def _sent(value: object) -> object:
    """Return a message as its parts, for the caller to show in another language."""
    if isinstance(value, Phrase):
        return {"template": value.template, "values": {name: _sent(each) for name, each in value.values.items()}}
    return value


def _received(sent: Any) -> Any:
    if isinstance(sent, dict):
        return Phrase(sent["template"], **{name: _received(each) for name, each in sent["values"].items()})
    return sent


def _received_fields(sent: dict[str, Any]) -> dict[str, Any]:
    return {name: _received(each) for name, each in sent.items()}


if __name__ == "__main__":
    threading.Thread(target=_end_with_the_station, daemon=True).start()
    main(sys.argv[1])
