"""The process of a program: its start, the signals that end it, its limit of descriptors, and its text console.

It starts faster without Python's cyclic garbage collector, and without what pygame and msgspec import beside what a picture needs. Everything loaded at start stays
loaded, and each collection would walk all of it. numpy, there with Debian's pygame, is two thirds of pygame's import time and 12 MiB, for pixel arrays that nothing here
uses; the mixer a fifth of the rest, for its decoders of music, and imageext as much, for its decoders of pictures. Tones load the mixer when they open, after the first
picture.

SIGTERM, SIGINT and SIGHUP are ordinary inputs: the program closes its files and exits. A thread of its own waits for them: the main thread may sleep inside the
display's library, where Python runs no handlers.

The text console is hidden behind the picture, and used for the error sentence when nothing can be drawn.
"""

import fcntl
import functools
import gc
import os
import resource
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from types import FrameType, ModuleType
from typing import Any, Final, NoReturn, Protocol

from faults.errors import TileclockError


def loaded(command: str) -> Any:
    """Import the module of a command without the garbage collector, and exclude what it loads from later collections."""
    gc.disable()
    try:
        # It takes Python's own typing then. The other loads inspect and the compiler's syntax tree.
        with _out_of_reach("typing_extensions"):
            import_module("msgspec")
        return import_module(command)
    finally:
        gc.freeze()
        gc.enable()


_UNWANTED: Final = ("numpy", "pygame.imageext", "pygame.mixer", "pygame.mixer_music", "pygame.scrap")


def fast_startup(verb: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate a verb to run without both from its first step until it calls ``startup_done``."""

    @functools.wraps(verb)
    def started(*given: Any, **named: Any) -> Any:
        gc.disable()
        os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
        # The verb may end before it calls ``startup_done``, and its caller may go on.
        with _out_of_reach(*_UNWANTED):
            try:
                return verb(*given, **named)
            finally:
                gc.enable()

    return started


def startup_done() -> None:
    """Collect once, exclude all current objects from later collections, enable the collector, and allow all imports again."""
    gc.collect()
    gc.freeze()
    gc.enable()
    _allow(_UNWANTED)


@contextmanager
def _out_of_reach(*names: str) -> Iterator[None]:
    # None blocks the import (The Python Language Reference, 5.3.1).
    for name in names:
        sys.modules.setdefault(name, None)  # type: ignore[arg-type] # typeshed knows modules only
    try:
        yield
    finally:
        _allow(names)


def _allow(names: tuple[str, ...]) -> None:
    for name in names:
        # Test libraries look numpy up by name in sys.modules.
        module: ModuleType | None = sys.modules.get(name)
        if module is None:
            sys.modules.pop(name, None)


ENDING: Final = frozenset({signal.SIGTERM, signal.SIGINT, signal.SIGHUP})


class EndOnSignals(Protocol):
    def __call__(self, leave: Callable[[], None], *, outlives_session: bool) -> None:
        """Call ``leave`` from the signal thread at the first signal.

        Args:
            leave: queues an input that ends the program.
            outlives_session: ignore SIGHUP: a dropped session closes its terminal, but the program has other inputs.
        """


@contextmanager
def termination_signals() -> Iterator[EndOnSignals]:
    """Block the signals in this and every later thread; yield the function that connects them.

    Enter it before any other thread starts.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)
    try:
        yield _wait_for_them
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def exit_on_signals() -> Iterator[None]:
    """Within the block, the signals blocked by ``termination_signals`` raise SystemExit(0): for long work before there is an inbox.

    Use it in the main thread only, and start no other thread within. No effect if they are not blocked.
    """
    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, ()) & ENDING
    before = {each: signal.signal(each, _exit) for each in blocked}
    try:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, blocked)
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_BLOCK, blocked)
        for each, handler in before.items():
            signal.signal(each, handler)


def _exit(_signal: int, _frame: FrameType | None) -> NoReturn:
    raise SystemExit(0)


def _wait_for_them(leave: Callable[[], None], *, outlives_session: bool) -> None:
    threading.Thread(target=_wait, args=(leave, outlives_session), name="signals", daemon=True).start()


def _wait(leave: Callable[[], None], outlives_session: bool) -> None:
    while signal.sigwait(ENDING) == signal.SIGHUP and outlives_session:
        pass
    leave()


def raise_file_limit() -> None:
    """Allow as many descriptors as the system does: the usual limit of 1,024 is below the connections of a full hall."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


_KDSETMODE: Final = 0x4B3A
_KDGETMODE: Final = 0x4B3B
_TEXT: Final = 0
_GRAPHICS: Final = 1
SERVICE: Final = "JOURNAL_STREAM"
"""systemd sets it when output goes to its journal."""
_CRITICAL: Final = "<2>"
"""Line prefix for journald's priority; with StandardError=journal+console the line also reaches the machine's console."""


def blank(descriptor: int = 0) -> None:
    """Stop the kernel from drawing console text over the picture. No effect if ``descriptor`` is not our own console."""
    with suppress(OSError):
        fcntl.ioctl(descriptor, _KDSETMODE, _GRAPHICS)


@contextmanager
def errors_on_console(program: str, descriptor: int = 0) -> Iterator[None]:
    """Within the block, print a service's fatal error on the consoles, where people may see it without a picture, and exit with 2.

    It goes to the service's own console screen and to the machine's console, which may be a serial line. Outside a service, let the error through.
    """
    try:
        yield
    except TileclockError as error:
        if SERVICE not in os.environ:
            raise
        _print_everywhere(f"{program}: {error}", descriptor)
        raise SystemExit(2) from error


def _print_everywhere(sentence: str, descriptor: int) -> None:
    sys.stderr.write(f"{_CRITICAL}{sentence}\n")
    with suppress(OSError):
        fcntl.ioctl(descriptor, _KDGETMODE, bytes(4))
        fcntl.ioctl(descriptor, _KDSETMODE, _TEXT)
        os.write(descriptor, f"\033[2J\033[H\r\n{sentence}\r\n".encode())
