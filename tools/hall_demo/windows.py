"""The hall in windows: the real programs, each a process of its own, until all windows are closed."""

import secrets
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, ExitStack, suppress
from pathlib import Path
from typing import Final

from appliance.display.layout import Box
from appliance.lock import hashed
from tools.hall_demo.programs import (
    DIRECTOR,
    ChildProgram,
    add_director,
    clock_settings,
    desk_words,
    exit_on_signals,
    link_words,
    run_words,
    running,
    station_settings,
    write_settings,
)
from tools.trial_broker import LOOPBACK, Broker, HallMember, complete_hall, free_port, running_broker
from tools.windows import desktop, trio

_LOOK_S: Final = 0.5


def play(say: Callable[[str], None]) -> None:
    """Run the hall until its three windows are closed, or a signal comes. Nothing of it stays.

    Args:
        say: takes each line for the one who tries it.

    Raises:
        TileclockError: a part of it does not start.
    """
    *clocks, beside = trio(desktop())
    with ExitStack() as stack:
        stack.enter_context(exit_on_signals())
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="tilehall-demo-")))
        hall = complete_hall(folder / "hall")
        broker = stack.enter_context(running_broker(folder / "broker", hall.files))
        port, pin = free_port(), f"{secrets.randbelow(10_000):04d}"
        password = add_director(hall, folder)
        stack.enter_context(running(desk_words(hall, broker, folder, port), folder / "desk.log"))
        for member in (*hall.clocks, *hall.stations):
            stack.enter_context(running(link_words(member, broker), member.folder / "link.log"))
        windows = [
            stack.enter_context(_clock(member, table, box)) for table, (member, box) in enumerate(zip(hall.clocks, clocks, strict=True), 1)
        ]
        windows += [stack.enter_context(_station(member, pin, beside)) for member in hall.stations]
        say(f"The desk: http://{LOOPBACK}:{port}/. The director's PIN at the station: {pin}.")
        say(f"To send orders, log in at http://{LOOPBACK}:{port}/login as {DIRECTOR}, with the password {password}.")
        say("Clocks: A and L are the players' buttons, Space is the bar; hold it for 2 s to challenge. At the station, give table 1 or 2.")
        say(f"The broker is process {broker.pid}: kill it and see; it comes back. To end, close the three windows, or press Ctrl+C.")
        _wait(windows, broker)


def _wait(windows: Sequence[ChildProgram], broker: Broker) -> None:
    while any(window.process.poll() is None for window in windows):
        for window in windows:
            window.require_well()
            with suppress(subprocess.TimeoutExpired):
                window.process.wait(_LOOK_S)
        if not broker.runs:
            broker.restart()
    for window in windows:
        window.require_well()


def _clock(member: HallMember, table: int, box: Box) -> AbstractContextManager[ChildProgram]:
    settings = write_settings(member.folder / "clock.toml", clock_settings(member, table, (box.width, box.height)))
    # What the desk sets there goes with the demonstration.
    state = {"STATE_DIRECTORY": str(member.folder)}
    return running(run_words("firmware", settings), member.folder / "clock.log", (box.x, box.y), state)


def _station(member: HallMember, pin: str, box: Box) -> AbstractContextManager[ChildProgram]:
    settings = write_settings(member.folder / "station.toml", station_settings(member, hashed(pin), (box.width, box.height)))
    return running(run_words("kiosk", settings), member.folder / "station.log", (box.x, box.y))
