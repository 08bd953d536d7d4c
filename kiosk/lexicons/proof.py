"""Verify a whole list in a process of its own: ``python -m kiosk.lexicons.proof``, which reads the list's bytes from standard input.

Verifying 270,000 words takes 40 MB that a long-lived process hardly gives back, and would block the screen. The process gets the very bytes that the station has in
memory, and prints as JSON what is wrong with them.
"""

import json
import os
import signal
import subprocess
import sys
from typing import Any, Final

from appliance.texts import received, sent
from faults.errors import Phrase, reason
from lexicon import Lexicon, LexiconError
from lexicon.errors import Damaged, Unreadable

LONGEST_S: Final = 120
"""Many times what a list of a million words needs on a small machine; then a busy machine and an endless file are both given up."""


def prove(lexicon: Lexicon, longest_s: float = LONGEST_S) -> None:
    """Compare the whole ``lexicon``, a copy in memory, with its header.

    Raises Unreadable: memory or processes are short, or it takes more than ``longest_s``; Damaged: its content is not as built.
    """
    found = _answer(lexicon.path, lexicon.header.data + lexicon.payload(), longest_s)
    if found is not None:
        raise Damaged(where=lexicon.path, **{name: received(value) for name, value in found.items()})


def _answer(path: str, content: bytes, longest_s: float) -> dict[str, Any] | None:
    command = [sys.executable, "-P", "-m", "kiosk.lexicons.proof"]
    # Where this process finds its modules.
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    try:
        done = subprocess.run(command, input=content, capture_output=True, env=environment, timeout=longest_s, check=False)  # noqa: S603 - this module itself
        answer: dict[str, Any] | None = json.loads(done.stdout)
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
    except ValueError as error:
        raise Unreadable(
            where=path,
            expected="to read it whole",
            found=Phrase("that its reader ended by code {code}", code=done.returncode),
            remedy="Copy the file to a working disk, or free memory",
        ) from error
    return answer


def examined(content: bytes) -> dict[str, object] | None:
    """Return what is wrong with a lexicon file of that content, as its error's fields."""
    file = os.memfd_create("lexicon")
    os.write(file, content)
    try:
        Lexicon.open(f"/proc/self/fd/{file}", copied=True).verify()
    except LexiconError as error:
        return {name: sent(getattr(error, name)) for name in ("expected", "found", "remedy")}
    return None


if __name__ == "__main__":
    # The station blocks these signals for itself, and a child inherits that.
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    json.dump(examined(sys.stdin.buffer.read()), sys.stdout)
