from __future__ import annotations

import io
import os

from hardware.led.picture import ALL_LIT, whole
from hardware.led.watch import watch


def test_two_displays_are_drawn_on_a_terminal_whenever_something_else_is_lit() -> None:
    out = io.StringIO()
    looks = 0

    def pause() -> None:
        nonlocal looks
        looks += 1
        if looks == 1:
            near = os.open(out.getvalue().split()[3], os.O_WRONLY | os.O_NOCTTY)
            os.write(near, whole(ALL_LIT))
            os.close(near)
        if "|_|.|_|.o |_|.|_|." in out.getvalue():
            raise KeyboardInterrupt

    watch(out, pause)
    command, _, first, *_ = out.getvalue().split("\n")
    assert command.startswith("tileclock run --led-left /dev/pts/")
    assert first == "     _     _                 _     _"
    assert out.getvalue().split("\n\n")[-2].split("\n") == [
        " _   _     _ ' _             _     _",
        "|_| |_| o |_| |_|         |  _|    _| |_|",
        "|_|.|_|.o |_|.|_|.        | |_     _|   |",
    ]
