"""The frame of an unattended program: its start and end under systemd, its inbox, and a loop that sleeps until an input comes or something is due.

Its supervisor is systemd: notifications go there while the program starts and while its loop runs, silent if systemd did not ask for them. A request to switch off or
to update is a file that the program creates and a privileged unit watches for: the program itself needs no right to do what it asks. If the environment names no
file, the director's menu does not offer it.

The inbox is one queue for the inputs of all threads; each ``put`` wakes the loop. Clock and station fill the frame in: each builds its objects, applies its inputs
and draws.
"""

import os
import select
import threading
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Final, Generic, Protocol, TypeVar

import sdnotify
from msgspec import Struct

from appliance.clocks import Clocks
from appliance.errors import PowerOffError
from appliance.log import get_logger
from appliance.process import errors_on_console, termination_signals
from appliance.records.sqlite import describe_io_error
from faults.errors import Phrase, as_phrase


class Notifier(Protocol):
    def notify(self, state: str) -> None: ...


class Heartbeat:
    """The loop's keep-alive messages, at half the unit's watchdog time (sd_watchdog_enabled(3)), which may be meant for another process than ``pid``."""

    def __init__(self, notifier: Notifier, environment: Mapping[str, str], pid: int) -> None:
        self._notifier = notifier
        asked = environment.get("WATCHDOG_USEC", "")
        ours = environment.get("WATCHDOG_PID", str(pid)) == str(pid)
        self._every_ns = int(asked) * 1000 // 2 if ours and asked.isascii() and asked.isdigit() and int(asked) else None
        self._due = 0

    def extend_startup(self, within_s: int) -> None:
        """Ask for ``within_s`` more seconds to start, since the unit's limit may be shorter."""
        self._notifier.notify(f"EXTEND_TIMEOUT_USEC={within_s * 1_000_000}")

    def beat(self, now: int) -> int | None:
        """Send a keep-alive if due at ``now`` (ns); return when the next is due, or None without a watchdog."""
        if self._every_ns is None:
            return None
        if now >= self._due:
            self._notifier.notify("WATCHDOG=1")
            self._due = now + self._every_ns
        return self._due


class PowerOff(Struct, frozen=True):
    path: Path

    def ask(self) -> None:
        """Create the request: systemd then stops the program cleanly and switches the machine off. Raises ``PowerOffError``."""
        try:
            self.path.touch()
        except OSError as error:
            found = describe_io_error(error).problem
            raise PowerOffError(
                where=self.path,
                expected="to ask that the machine is switched off",
                found=Phrase("that it cannot be written: {why}", why=as_phrase(found)),
                remedy="Use the power button",
            ) from error


def request_path(environment: Mapping[str, str], key: str) -> Path | None:
    """Return where a request can be created; None if the environment has no absolute path at ``key`` or its folder is not writable."""
    path = Path(environment.get(key, ""))
    return path if path.is_absolute() and os.access(path.parent, os.W_OK | os.X_OK) else None


class UpdateRequest(Struct, frozen=True):
    path: Path
    outcome: Path

    def ask(self) -> None:
        """Create the request: the unit then stops the program cleanly, installs, and starts it again. Raises ``OSError``."""
        self.path.touch()

    def withdraw(self) -> None:
        """Remove the request, if it is still there: whoever removes it first, the program or the unit, acts. Raises ``OSError``."""
        self.path.unlink(missing_ok=True)

    def last(self) -> str:
        try:
            return self.outcome.read_text(encoding="ascii").strip()
        except (OSError, ValueError):
            return ""


def update_request(environment: Mapping[str, str], key: str, outcome_key: str) -> UpdateRequest | None:
    """Return how to ask for an update; None if the environment does not name a file at ``key`` that can be created, and one at ``outcome_key``."""
    path, outcome = request_path(environment, key), Path(environment.get(outcome_key, ""))
    return UpdateRequest(path, outcome) if path is not None and outcome.is_absolute() else None


class Supervisor(Struct, frozen=True):
    """The supervisor's parts, each None if absent."""

    heartbeat: Heartbeat | None = None
    power_off: PowerOff | None = None
    update: UpdateRequest | None = None
    notifier: Notifier | None = None
    """systemd, which restarts the program and shows its status; None: a person started it and reads its output."""


NO_SUPERVISOR: Final = Supervisor()


def supervisor(notifier: Notifier, environment: Mapping[str, str], power_off_key: str, update: UpdateRequest | None = None) -> Supervisor:
    listens, wish = bool(environment.get("NOTIFY_SOCKET")), request_path(environment, power_off_key)
    return Supervisor(
        Heartbeat(notifier, environment, os.getpid()), None if wish is None else PowerOff(wish), update, notifier if listens else None
    )


T = TypeVar("T")
_MS: Final = 1_000_000
_S: Final = 1_000_000_000


class Sleeper(Protocol):
    @property
    def blocks(self) -> bool:
        """Whether ``wait`` sleeps until an event; otherwise the loop waits on the inbox and polls."""

    def wait(self, timeout_ms: int | None, /) -> None:
        """Sleep until there may be something to poll, ``wake`` is called, or ``timeout_ms`` pass (None: no limit)."""

    def wake(self) -> None:
        """End this ``wait`` or the next. Thread-safe; no effect once closed."""


class Wakeup:
    """A descriptor that becomes readable at ``wake``. Any thread may wake or close it; one thread sleeps or polls, and clears."""

    def __init__(self) -> None:
        self._descriptor = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)
        # ``wake`` must not write to a descriptor that another thread has closed, or reused since.
        self._lock = threading.Lock()

    def fileno(self) -> int:
        return self._descriptor

    def wake(self) -> None:
        """Make the descriptor readable. No effect once closed; never blocks."""
        with self._lock:
            if self._descriptor >= 0:
                os.eventfd_write(self._descriptor, 1)

    def clear(self) -> None:
        with self._lock, suppress(BlockingIOError):
            if self._descriptor >= 0:
                os.eventfd_read(self._descriptor)

    def sleep(self, sources: Collection[int], timeout_ms: int | None) -> bool:
        """Sleep until one of ``sources`` is readable, ``wake`` is called, or ``timeout_ms`` pass (None: no limit); return whether a source is readable."""
        if self._descriptor < 0:
            return False
        ready, _, _ = select.select([self._descriptor, *sources], [], [], None if timeout_ms is None else timeout_ms / 1000)
        self.clear()
        return any(source in ready for source in sources)

    def close(self) -> None:
        """Close the descriptor. Idempotent; does not end a sleep."""
        with self._lock:
            if self._descriptor >= 0:
                os.close(self._descriptor)
                self._descriptor = -1


class Inbox(Generic[T]):
    def __init__(self) -> None:
        self._queue: SimpleQueue[T] = SimpleQueue()
        self._sleeper: Sleeper | None = None

    def wake_on_put(self, sleeper: Sleeper) -> None:
        """Wake ``sleeper`` at each ``put`` from now on, and once now for items already queued."""
        self._sleeper = sleeper
        sleeper.wake()

    def put(self, item: T) -> None:
        self._queue.put(item)
        sleeper = self._sleeper
        if sleeper is not None and sleeper.blocks:
            sleeper.wake()

    def wait(self, timeout_s: float | None) -> list[T]:
        items: list[T] = []
        try:
            items.append(self._queue.get(timeout=timeout_s) if timeout_s is None or timeout_s > 0 else self._queue.get_nowait())
            while True:
                items.append(self._queue.get_nowait())
        except Empty:
            return items

    def sleep(self, sleeper: Sleeper, left_ns: int | None) -> list[T]:
        """Sleep in ``sleeper``, whose errors it raises, or here if it does not block, for at most ``left_ns`` (None: no limit); return all items queued then."""
        if not sleeper.blocks:
            return self.wait(None if left_ns is None else left_ns / _S)
        # Round up: waking early means waking twice.
        sleeper.wait(None if left_ns is None else -(-left_ns // _MS))
        return self.wait(0)


POLL_NS: Final = _S // 100
"""The polling interval (ns) of a screen that cannot wait for input."""
MAX_SIGNING_NS: Final = _S
"""The longest wait (ns) for the signature of the stop: the program ends on a full disk too."""


class ProgramLoop(Protocol):
    @property
    def outlives_session(self) -> bool:
        """Whether the program goes on after its session has ended (SIGHUP): it has other inputs than the terminal."""

    def begin(self) -> None:
        """Show the first picture."""

    def run(self) -> None: ...

    def leave(self) -> None:
        """Make ``run`` end, from any thread."""

    @property
    def ended(self) -> Mapping[str, str]:
        """What the service's log says of the end."""


L = TypeVar("L", bound=ProgramLoop)


def run_program(
    name: str,
    opened: Callable[[Supervisor], AbstractContextManager[L]],
    report_ready: Callable[[L], None],
    power_off_key: str,
    update: UpdateRequest | None = None,
) -> None:
    """Run a program until a request or a signal ends it; tell systemd when it is ready and when it stops.

    ``opened`` opens all that it works with, and closes it afterwards; ``report_ready`` writes to the service's log what that is. ``power_off_key``: the environment
    key that names the power-off request file.
    """
    systemd = sdnotify.SystemdNotifier()
    watched = supervisor(systemd, os.environ, power_off_key, update)
    with errors_on_console(name), termination_signals() as asked, opened(watched) as loop:
        asked(loop.leave, outlives_session=loop.outlives_session)
        # Ready only once the first picture is on the screen, and the pins are open or said to be missing.
        loop.begin()
        systemd.notify("READY=1")
        report_ready(loop)
        loop.run()
        systemd.notify("STOPPING=1")
    get_logger().info("the program has stopped", **loop.ended)


class Deadlines(Generic[T]):
    """Sleeps in a screen until an input comes or something is due. ``inbox`` has all inputs except those of the screen; ``heartbeat`` is systemd's watchdog."""

    def __init__(self, inbox: Inbox[T], screen: Sleeper, clocks: Clocks, heartbeat: Heartbeat | None) -> None:
        self.inbox = inbox
        self._clocks, self._heartbeat = clocks, heartbeat
        self.sleep_in(screen)

    def sleep_in(self, screen: Sleeper) -> None:
        self._screen = screen
        self.inbox.wake_on_put(screen)

    def next_due(self, instants: Iterable[int | None], now: int, *, polls: bool = True) -> int | None:
        """Return the first of ``instants`` (ns; None: never) and of the frame's own: the watchdog's and, with ``polls``, the screen's.

        None: nothing is due before an input comes.
        """
        own = (None if self._heartbeat is None else self._heartbeat.beat(now), now + POLL_NS if polls and not self._screen.blocks else None)
        return min((instant for instant in (*instants, *own) if instant is not None), default=None)

    def wait(self, wake: int | None) -> list[T]:
        """Return the inputs that have come, at ``wake`` (ns; None: on input) at the latest; raises ``ScreenError``."""
        return self.inbox.sleep(self._screen, None if wake is None else max(0, wake - self._clocks.now()))

    def wait_for_signature(self, is_last: Callable[[T], bool]) -> None:
        """Pass inputs to ``is_last``, which records signatures, until it has recorded that of the stop, or ``MAX_SIGNING_NS`` have passed."""
        limit = self._clocks.now() + MAX_SIGNING_NS
        # Nothing for so long: the time is over, also on a clock that stands.
        while (left := limit - self._clocks.now()) > 0 and (items := self.inbox.wait(left / _S)):
            for item in items:
                if is_last(item):
                    return
