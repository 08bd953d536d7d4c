"""The players and the director at a table, inside the emulated machine: they play on the real clock by its pins, until the power is cut.

All they do and see goes over the serial line at once, each with instants of CLOCK_MONOTONIC in ns, for nothing else of them will be left: ``pull BUTTON up|down
BEFORE AFTER`` is a contact, ``lamps LIT NOW`` is who runs, and ``known SEQ HASH AT MONO COMMIT NOW`` is what any other program can read in the journal, which is
therefore on the card: a commit is seen by others after its sync, never before.
"""

import contextlib
import itertools
import os
import random
import shutil
import socket
import sqlite3
import subprocess
import sys
import threading
import time
import tty
from pathlib import Path
from typing import Final

from tests.kernel.inside.simulated import Finger, make_chip

JOURNAL: Final = "/var/lib/tileclock/journal.db"
PORT: Final = "/dev/ttyS1"
BUTTONS: Final = {"left": 5, "right": 6, "centre": 4, "ok": 25, "key": 22}
LAMPS: Final = {"left": 16, "right": 26}
POLL_S: Final = 0.02
HELD_S: Final = 0.08
SEEN_S: Final = 5
PATIENCE_S: Final = 600


class Said:
    """The serial line; a line is whole or not there."""

    def __init__(self) -> None:
        self._port = os.open(PORT, os.O_RDWR | os.O_NOCTTY)
        tty.setraw(self._port)
        self._lock = threading.Lock()

    def say(self, *words: object) -> None:
        with self._lock:
            os.write(self._port, (" ".join(map(str, words)) + "\n").encode())


class Hands:
    """The hands on the buttons, and the eyes on the lamps."""

    def __init__(self, said: Said) -> None:
        self._said = said
        self._finger = Finger()
        self._lit = ""

    def pull(self, button: str, *, down: bool) -> None:
        self._finger.pull(BUTTONS[button], down=down)
        *_, before, after = self._finger.pulls.pop()
        self._said.say("pull", button, "down" if down else "up", before, after)

    def press(self, button: str) -> None:
        self.pull(button, down=True)
        time.sleep(HELD_S)
        self.pull(button, down=False)

    def lit(self) -> str:
        """Return the side whose lamp is on; empty: neither."""
        lit = " ".join(side for side, line in LAMPS.items() if self._finger.value(line))
        if lit != self._lit:
            self._lit = lit
            self._said.say("lamps", lit or "dark", time.monotonic_ns())
        return lit

    def until(self, *expected: str) -> str:
        limit = time.monotonic() + PATIENCE_S
        while (lit := self.lit()) not in expected:
            if time.monotonic() > limit:
                raise TimeoutError(f"expected {expected} to be lit, found {lit!r}")
            time.sleep(0.005)
        return lit


def watch(said: Said) -> None:
    """Tell for ever what is on the card, and that time goes on."""
    with contextlib.closing(sqlite3.connect(f"file:{JOURNAL}?mode=ro", uri=True, isolation_level=None)) as journal:
        seen = None
        while True:
            found = journal.execute("SELECT seq, hash, at, mono, commit_ns FROM mark").fetchone()
            now = time.monotonic_ns()
            said.say(*(("now", now) if found == seen else ("known", *found, now)))
            seen = found
            time.sleep(POLL_S)


def direct(hands: Hands, said: Said, *, begins: bool) -> None:
    """Begin the game; or find it stopped, and not to be moved by a player, confirm its times, and have it go on."""
    hands.until("")
    if begins:
        said.say("new", time.monotonic_ns())
        hands.press("left")
        return
    for button in ("left", "right", "centre"):
        hands.press(button)
    time.sleep(4 * HELD_S)
    said.say("stopped" if hands.lit() == "" else "runs", time.monotonic_ns())
    confirm(hands)
    hands.press("centre")


def confirm(hands: Hands) -> None:
    """Confirm the times, and see that they are: again where a machine that is held up has made something else of the press."""
    limit = time.monotonic() + PATIENCE_S
    while not confirmed():
        if time.monotonic() > limit:
            raise TimeoutError("expected the times to be confirmed")
        hands.pull("key", down=True)
        time.sleep(2 * HELD_S)
        hands.press("ok")
        time.sleep(2 * HELD_S)
        hands.pull("key", down=False)
        seen = time.monotonic() + SEEN_S
        while not confirmed() and time.monotonic() < seen:
            time.sleep(POLL_S)


def confirmed() -> bool:
    """Whether the journal has it that in this boot the director has confirmed the times."""
    with contextlib.closing(sqlite3.connect(f"file:{JOURNAL}?mode=ro", uri=True)) as journal:
        return journal.execute("SELECT 1 FROM rows WHERE kind = 'confirmed' AND boot = ?", (this_boot(),)).fetchone() is not None


def this_boot() -> str:
    return Path("/proc/sys/kernel/random/boot_id").read_text().strip()


def play(hands: Hands, said: Said, chance: random.Random) -> None:
    """Play for ever: quick turns, long ones, and now and then a stop."""
    running = hands.until("left", "right")
    said.say("playing", time.monotonic_ns())
    for turn in itertools.count(1):
        time.sleep(chance.uniform(1, 3) if turn % 4 == 0 else chance.uniform(0.45, 0.9))
        if turn % 5 == 0:
            hands.press("centre")
            hands.until("")
            time.sleep(chance.uniform(0.05, 0.3))
            hands.press("centre")
            hands.until(running)
        else:
            hands.press(running)
            running = hands.until("right" if running == "left" else "left")


def start_clock() -> None:
    for node in Path("/dev").glob("gpiochip*"):
        # As the shipped rule has it.
        shutil.chown(node, group="gpio")
        node.chmod(0o660)
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notifications:
        notifications.bind("/run/notify")
        Path("/run/notify").chmod(0o666)
        subprocess.Popen(
            ["/usr/bin/tileclock", "run"],
            user="tileclock",
            group="tileclock",
            extra_groups=["gpio"],
            cwd="/run/tileclock",
            umask=0o077,
            env={
                **os.environ,
                "NOTIFY_SOCKET": "/run/notify",
                "STATE_DIRECTORY": "/var/lib/tileclock",
                "RUNTIME_DIRECTORY": "/run/tileclock",
                "PYTHONUNBUFFERED": "1",
            },
        )
        notifications.settimeout(PATIENCE_S)
        while notifications.recv(1000) != b"READY=1":
            pass


def main() -> None:
    """Make the chip (``chip``), play (``play``), or be all there is of the machine (``alone``)."""
    if sys.argv[1] in ("chip", "alone"):
        make_chip()
    if sys.argv[1] == "chip":
        return
    if sys.argv[1] == "alone":
        start_clock()
    words = dict(word.partition("=")[::2] for word in Path("/proc/cmdline").read_text().split())
    said = Said()
    said.say("ready", time.monotonic_ns(), this_boot())
    threading.Thread(target=watch, args=(said,), daemon=True).start()
    hands = Hands(said)
    try:
        direct(hands, said, begins=words["tc.game"] == "new")
        play(hands, said, random.Random(int(words["tc.seed"])))  # noqa: S311 - no secret
    except Exception as error:
        said.say("failed", repr(error))
        raise


if __name__ == "__main__":
    main()
