"""A program of the scripted round in a process of its own, since SDL has one screen in each: it obeys commands, in real time."""

import multiprocessing
import os
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from multiprocessing.connection import Connection as Pipe
from pathlib import Path
from typing import Any, Final, TypeVar

from msgspec import Struct

from tools.hall_demo.programs import HallDemoError

T = TypeVar("T")
TAP_NS: Final = 80_000_000
TURN_S: Final = 0.05
PATIENCE_S: Final = 120.0


class ScriptedPress(Struct, frozen=True):
    """A button of a clock, held for so many ns; or a target of the station."""

    button: str
    held_ns: int = TAP_NS


class Actor(ABC):
    """A program that obeys."""

    def __init__(self) -> None:
        self._stack = ExitStack()

    def owns(self, part: AbstractContextManager[T]) -> T:
        """Close ``part`` at the end."""
        return self._stack.enter_context(part)

    def close(self) -> None:
        """Close all parts."""
        self._stack.close()

    @abstractmethod
    def turn(self) -> None:
        """Process what has come, without waiting."""

    @abstractmethod
    def press(self, press: ScriptedPress) -> None:
        """ScriptedPress or touch."""

    @abstractmethod
    def picture(self, path: Path) -> None:
        """Write the picture of now."""

    @abstractmethod
    def line(self) -> str:
        """Return what is shown, in one line."""


class Directed:
    """An actor as its director sees it."""

    def __init__(self, name: str, pipe: Pipe) -> None:
        self._name, self._pipe = name, pipe

    def press(self, button: str, held_ns: int = TAP_NS) -> None:
        """ScriptedPress a button, or touch a target."""
        self._ask(ScriptedPress(button, held_ns))

    def picture(self, path: Path) -> None:
        """Have the picture of now written."""
        self._ask(path)

    def line(self) -> str:
        """Return what is shown, in one line."""
        return str(self._ask(None))

    def until(self, condition: Callable[[str], bool], what: str) -> str:
        """Wait until what is shown is so, and return it.

        Raises:
            HallDemoError: it does not come.
        """
        deadline = time.monotonic() + PATIENCE_S
        while not condition(line := self.line()):
            if time.monotonic() > deadline:
                raise HallDemoError(where=self._name, expected=what, found=line)
            time.sleep(TURN_S)
        return line

    def _ask(self, command: ScriptedPress | Path | None) -> object:
        try:
            self._pipe.send(command)
            return self._pipe.recv()
        except (EOFError, OSError) as error:
            raise HallDemoError(where=self._name, expected="that it goes on", found="that it ended; see above") from error


def _act(make: Callable[..., Actor], arguments: tuple[Any, ...], pipe: Pipe) -> None:
    # The log of each; tracebacks stay.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    actor = make(*arguments)
    try:
        while True:
            if pipe.poll(TURN_S):
                command = pipe.recv()
                answer: object = None
                if isinstance(command, ScriptedPress):
                    actor.press(command)
                elif isinstance(command, Path):
                    actor.picture(command)
                else:
                    answer = actor.line()
                pipe.send(answer)
            actor.turn()
    except EOFError:
        # The director has gone.
        pass
    finally:
        actor.close()


@contextmanager
def directed(make: Callable[..., Actor], *arguments: Any) -> Iterator[Directed]:
    """Run an actor within the block."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_act, args=(make, arguments, theirs), name=make.__name__, daemon=True)
    process.start()
    theirs.close()
    try:
        yield Directed(make.__name__, ours)
    finally:
        ours.close()
        process.join(10)
        process.kill()
        process.join()
