"""What can be asked for inside the emulated machine: each prints one line of JSON, which is judged outside.

Everything of the clock here is the real thing: the pin library on a chip of the kernel, and ``tileclock`` as it is installed.
"""

import base64
import contextlib
import fcntl
import json
import os
import random
import re
import shutil
import signal
import socket
import sqlite3
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import msgspec
from smbus2 import SMBus

from appliance.errors import LedError
from hardware.boards.board import CLOCK, Board, load_board
from hardware.buttons.board_pins import ButtonPins, Buzzer, Edge
from hardware.led.module import LedModule
from hardware.led.picture import cells, lit, still
from hardware.led.port import I2cPort, memory
from hardware.pins.gpiod import BUFFER
from hardware.pins.opening import FactoryName, open_factory
from hardware.settings import LedLine
from tests.kernel.inside.simulated import LABEL, Finger, chip_number, make_chip
from tests.kernel.inside.wearing import BUTTON, Bench, contact_of
from tools.trial_broker import CompleteHall, complete_hall, running_broker

QUIET_S: Final = 1
PATIENCE_S: Final = 120
LOADS: Final = 2
"""Processes beside the clock that never wait."""
DRAINED_S: Final = 3
"""For the clock to come to the end of what it has been told, while the processor is busy."""
AFTER_FLOOD_S: Final = 2
"""A flood keeps the interrupts' threads running, and the kernel then gives everybody else a share before them. All edges that come meanwhile are one edge: no press
falls into that time."""
PARTS: Final = Path(__file__).parents[3]
"""What PYTHONPATH names here."""
INSTALLED: Final = (sys.executable, f"{PARTS}/bin/tileclock")
CHECKOUT: Final = Path("/srv/tileclock")
FOLDER: Final = Path("/tmp/tileclock")  # noqa: S108 - the machine inside has no other user
TRACES: Final = Path("/run/traces")
HALL: Final = Path("/tmp/hall")  # noqa: S108 - the machine inside has no other user
ARRIVES_S: Final = 120
_SET_FLAGS: Final = 0x8914
_UP: Final = 0x41
"""SIOCSIFFLAGS, and IFF_UP with IFF_RUNNING, of linux/sockios.h and linux/if.h: there is no ``ip`` in here."""


I2C: Final = {"left": 0x70, "right": 0x71}
TEXTS: Final = {"left": "25.00", "right": "-1.59"}


def watch(pins: FactoryName, seed: int, groups: int, load: int) -> dict[str, Any]:
    """Pull presses, bounce trains, chords and bursts, never more than the kernel keeps for the library; return the pulls and the edges that came of them."""
    waited = 0
    with listening(pins) as (board, edges, buttons), busy(load):
        finger, lines = Finger(), {spec.gpio: name for name, spec in board.buttons.items()}
        for group in moves(random.Random(seed), sorted(lines), groups):  # noqa: S311 - no secret
            waited += room(BUFFER - len(group), finger, edges)
            for line, down in group:
                finger.pull(line, down=down)
            time.sleep(0.02)
        room(0, finger, edges)
        settled(edges)
        result = {"edges": notifications(edges), "lost": buttons.lost, "waited": waited}
    return {**result, "pulls": [(lines[line], down, before, after) for line, down, before, after in finger.pulls]}


def room(most: int, finger: Finger, edges: list[Edge]) -> bool:
    """Wait until no more than ``most`` pulls have not come as edges; return whether that had to be."""
    until = time.monotonic() + PATIENCE_S
    waited = False
    while len(finger.pulls) - len(edges) > most and time.monotonic() < until:
        waited = True
        time.sleep(0.001)
    return waited


def moves(chance: random.Random, lines: list[int], groups: int) -> Iterator[list[tuple[int, bool]]]:
    """Yield groups of pulls with nothing between them; every line is up after each second group."""
    for _ in range(groups):
        kind, one, other = chance.choice(("press", "train", "chord", "burst")), *chance.sample(lines, 2)
        if kind == "press":
            yield [(one, True)]
            yield [(one, False)]
        elif kind == "train":
            bounces = 2 * chance.randrange(1, 5)
            yield [(one, number % 2 == 0) for number in range(bounces + 1)]
            yield [(one, number % 2 == 1) for number in range(bounces + 1)]
        elif kind == "chord":
            yield [(one, True), (other, True)]
            yield [(other, False), (one, False)]
        else:
            yield [(line, True) for line in lines]
            yield [(line, False) for line in chance.sample(lines, len(lines))]


def flood(pins: FactoryName, times: int) -> dict[str, Any]:
    """Have another process toggle a line far faster than anybody reads; return what became of it, and what the clock believes afterwards."""
    with listening(pins) as (board, edges, buttons):
        line = board.buttons["left"].gpio
        toggle = [sys.executable, "-m", "tests.kernel.inside.simulated", str(line), str(times)]
        pulls = json.loads(subprocess.run(toggle, capture_output=True, text=True, check=True).stdout)
        settled(edges)
        came = len(edges)
        while (again := buttons.reread(time.monotonic_ns())) is not None:
            time.sleep(max(0, again - time.monotonic_ns()) / 1e9)
        result = {"came": came, "last": notifications(edges[-1:]), "down": sorted(buttons.down()), "lost": buttons.lost}
    took = pulls[-1][3] - pulls[0][2]
    return {**result, "pulls": len(pulls), "took_ns": took, "pulled_down": pulls[-1][1]}


def idle(pins: FactoryName, seconds: int) -> dict[str, Any]:
    """Return the processor's time (ns) that open pins take without a press, and how often a thread was woken."""
    with listening(pins):
        before = time.process_time_ns(), switches()
        time.sleep(seconds)
        after = time.process_time_ns(), switches()
    return {"cpu_ns": after[0] - before[0], "wakes": after[1] - before[1], "seconds": seconds}


def wearing(kind: str, seed: int, most: int) -> dict[str, Any]:
    """Play on a contact until it is named as worn and has lost a press, or for ``most`` presses; return when each was, and whether all pulls came as edges."""
    contact = contact_of(kind, seed)
    FOLDER.mkdir(exist_ok=True)
    with listening("gpiod") as (board, edges, _):
        bench = Bench(contact, board.buttons[BUTTON].gpio, edges, FOLDER / f"{kind}-{seed}.db")
        while (bench.named is None or bench.lost is None) and contact.presses < most:
            bench.play()
    return {
        "named": bench.named,
        "lost": bench.lost,
        "strange": bench.strange,
        "edges": bench.came,
        "presses": contact.presses,
        "worn": bench.worn,
    }


@contextlib.contextmanager
def listening(pins: FactoryName) -> Iterator[tuple[Board, list[Edge], ButtonPins]]:
    board, edges = load_board("full", CLOCK), list[Edge]()
    with contextlib.closing(open_factory(pins, chip=LABEL)) as factory:
        buttons = ButtonPins(board, factory, edges.append)
        with contextlib.closing(buttons):
            yield board, edges, buttons


def switches() -> int:
    total = 0
    for status in Path("/proc/self/task").glob("*/status"):
        line = next(line for line in status.read_text().splitlines() if line.startswith("voluntary_ctxt_switches"))
        total += int(line.split()[1])
    return total


def game(pins: FactoryName, seed: int, turns: int, toggles: int, *, of: str) -> dict[str, Any]:
    """Play on the real ``tileclock run`` with presses that bounce, the processor busy; half-way a director's button is toggled so often, and left down. Return pulls and journal.

    The clock is ``of`` the installed ``parts``, of a ``checkout``, or of a ``hall``: there each row also goes through the link to a listener, and what that
    one has of them is returned too.
    """
    chance, buttons = random.Random(seed), load_board("full", CLOCK).buttons  # noqa: S311 - no secret
    line = {name: spec.gpio for name, spec in buttons.items()}
    opened: list[int] = []
    with contextlib.ExitStack() as stack:
        hall = stack.enter_context(running_hall(FOLDER / "hall.sock")) if of == "hall" else None
        program = stack.enter_context(program_of(checkout=of == "checkout"))
        clock = stack.enter_context(running(pins, hall.settings if hall is not None else "", program))
        stack.enter_context(busy(LOADS))
        finger = Finger()
        for turn in range(turns):
            opened += press(finger, line[("right", "left")[turn % 2]], chance)
            if toggles and turn == turns // 2:
                finger.toggle(line["down"], toggles)
                time.sleep(AFTER_FLOOD_S)
        opened += press(finger, line["centre"], chance)
        finger.pull(line["down"], down=False)
        time.sleep(DRAINED_S)
        arrived = hall.has(FOLDER / "journal.db") if hall is not None else 0
        clock.send_signal(signal.SIGTERM)
        said = clock.communicate(timeout=PATIENCE_S)[0]
        compared = hall.compared(FOLDER / "journal.db") if hall is not None else None
    name = {gpio: name for name, gpio in line.items()}
    return {
        "pulls": [(name[gpio], down, before, after) for gpio, down, before, after in finger.pulls],
        "opened_ns": max(opened),
        "journal": base64.b64encode((FOLDER / "journal.db").read_bytes()).decode(),
        "code": clock.returncode,
        "said": said[-3000:],
        "arrived": arrived,
        "compared": compared,
    }


def press(finger: Finger, line: int, chance: random.Random) -> list[int]:
    """Press a line as a person does, bouncing both ways; return how long it was open at most within each bounce, in ns."""
    opened = []
    for down in (True, False):
        bounce = 2 * chance.randrange(4) + 1
        for number in range(bounce):
            finger.pull(line, down=down is (number % 2 == 0))
        pulls = pairwise(finger.pulls[-bounce:])
        opened.append(max((later[3] - earlier[2] for earlier, later in pulls if later[1]), default=0))
        # Held a moment, and then the other player's turn: no two presses so near each other that they would be one chord.
        time.sleep((0.08 if down else 0.6) + chance.random() / 10)
    return opened


def doctor(pins: FactoryName, *, checkout: bool = False) -> dict[str, Any]:
    # Without a ceiling in here: while the machine waits for its disk, time inside jumps ahead. The one outside is ``ANSWER_S``.
    with program_of(checkout=checkout) as program:
        done = subprocess.run(tileclock("doctor", pins, program=program), capture_output=True, text=True, check=False)
    return {"code": done.returncode, "said": done.stdout, "stderr": done.stderr[-2000:]}


def displays() -> dict[str, Any]:
    """Show a picture on each of two displays of the kernel's simulated I2C bus; return what its chips then hold, and what a third address says."""
    (bus,) = (f"/dev/{name.parent.name}" for name in Path("/sys/class/i2c-dev").glob("*/name") if "stub" in name.read_text())
    modules = {side: LedModule(side, LedLine((f"{bus}@{address:#x}",))) for side, address in I2C.items()}
    reader = SMBus(bus)
    held: dict[str, str] = {}
    for side, module in modules.items():
        module.show(still(lit(cells(TEXTS[side]))))
    until = time.monotonic() + PATIENCE_S
    while held != {side: memory(lit(cells(text))).hex() for side, text in TEXTS.items()} and time.monotonic() < until:
        held = {side: bytes(reader.read_i2c_block_data(address, 0, 10)).hex() for side, address in I2C.items()}
        threading.Event().wait(QUIET_S)
    ended = [module.close() for module in modules.values()]
    dark = [bytes(reader.read_i2c_block_data(address, 0, 10)).hex() for address in I2C.values()]
    try:
        I2cPort("left", LedLine((f"{bus}@0x72",))).open()
    except LedError as why:
        return {
            "held": held,
            "ended": ended,
            "dark": dark,
            "absent": str(why),
            "trouble": [module.trouble is None for module in modules.values()],
        }
    return {}


def rpi_lgpio_doctor(held: str | None = None) -> dict[str, Any]:
    """Return what ``tileclock doctor`` finds with RPi.GPIO by rpi-lgpio, while another program holds the pin of the button ``held``."""
    with rpi_lgpio(), contextlib.ExitStack() as stack:
        if held is not None:
            factory = stack.enter_context(contextlib.closing(open_factory("gpiod", chip=LABEL)))
            factory.pin(load_board("full", CLOCK).buttons[held].name)
        return doctor("rpigpio")


def rpi_lgpio_presses(rounds: int) -> dict[str, Any]:
    """Press each button slowly, ``rounds`` times, on pins that are opened anew each time; return the pulls and the edges that came of them."""
    pulls: list[tuple[str, bool, int, int]] = []
    came: list[tuple[str, bool, int, bool]] = []
    with rpi_lgpio():
        for _ in range(rounds):
            with listening("rpigpio") as (board, edges, _buttons):
                finger = Finger()
                for spec in board.buttons.values():
                    for down in (True, False):
                        finger.pull(spec.gpio, down=down)
                        room(0, finger, edges)
                lines = {spec.gpio: name for name, spec in board.buttons.items()}
                pulls += [(lines[line], down, before, after) for line, down, before, after in finger.pulls]
                came += notifications(edges)
    return {"edges": came, "pulls": pulls}


def rpi_lgpio_tones(melody: list[list[int]]) -> dict[str, Any]:
    """Play ``melody`` on a pitched buzzer; return when the kernel saw its pin rise, in s from the start."""
    TRACES.mkdir(exist_ok=True)
    subprocess.run(["mount", "-t", "tracefs", "tracefs", str(TRACES)], check=True)
    (TRACES / "trace_clock").write_text("mono")
    with rpi_lgpio(), contextlib.closing(open_factory("rpigpio")) as factory:
        board = load_board("full", CLOCK)
        assert board.buzzer is not None
        pitched = msgspec.structs.replace(board.buzzer, part="piezo-passive-5v")
        buzzer = Buzzer(msgspec.structs.replace(board, buzzer=pitched), factory, enabled=True)
        (TRACES / "events/gpio/gpio_value/enable").write_text("1")
        start = time.monotonic()
        buzzer.sound(1, [(hz, ms) for hz, ms in melody])
        time.sleep(sum(ms for _, ms in melody) / 1000 + 0.3)
        (TRACES / "events/gpio/gpio_value/enable").write_text("0")
        buzzer.close()
    rises = re.findall(r" (\d+\.\d+): gpio_value: \d+ set 1", (TRACES / "trace").read_text())
    subprocess.run(["umount", str(TRACES)], check=True)
    return {"rises": [float(at) - start for at in rises]}


@contextlib.contextmanager
def rpi_lgpio() -> Iterator[None]:
    """Have gpiozero and rpi-lgpio take this machine for a Pi 4B, and its simulated chip for the header's."""
    revision = FOLDER.with_suffix(".cpuinfo")
    revision.write_text("Revision : c03114\n")
    os.environ |= {"RPI_LGPIO_REVISION": "c03114", "RPI_LGPIO_CHIP": str(chip_number())}
    subprocess.run(["mount", "--bind", str(revision), "/proc/cpuinfo"], check=True)
    try:
        yield
    finally:
        subprocess.run(["umount", "/proc/cpuinfo"], check=True)


@contextlib.contextmanager
def program_of(*, checkout: bool) -> Iterator[Sequence[str]]:
    """Give the command of the installed clock, or of the checkout's, with the libraries of its own environment alone.

    The checkout's disk is mounted no longer than that: while it was, other games lost presses.
    """
    if not checkout:
        yield INSTALLED
        return
    CHECKOUT.mkdir(exist_ok=True)
    subprocess.run(["mount", "/dev/vdc", str(CHECKOUT)], check=True)
    try:
        yield ("env", "--unset=PYTHONPATH", f"{CHECKOUT}/.venv/bin/tileclock")
    finally:
        subprocess.run(["umount", str(CHECKOUT)], check=True)


@contextlib.contextmanager
def running(pins: FactoryName, more: str, program: Sequence[str]) -> Iterator[subprocess.Popen[str]]:
    """Start ``tileclock run`` with a new journal and ``more`` settings, and wait until it is ready."""
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.iterdir():
        old.unlink()
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as told_us:
        told_us.bind(str(FOLDER / "notify"))
        told_us.settimeout(PATIENCE_S)
        environment = {**os.environ, "NOTIFY_SOCKET": str(FOLDER / "notify")}
        clock = subprocess.Popen(
            tileclock("run", pins, more, program), env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
        try:
            _ready(clock, told_us)
            yield clock
        finally:
            clock.kill()
            clock.communicate()


def _ready(clock: subprocess.Popen[str], told_us: socket.socket) -> None:
    """Wait until the clock is ready, or has ended: while the machine waits for its disk, time inside jumps ahead, so that no ceiling in here says anything."""
    told = b""
    while told != b"READY=1":
        try:
            told = told_us.recv(1000)
        except TimeoutError:
            if clock.poll() is not None:
                raise


def tileclock(verb: str, pins: FactoryName, more: str = "", program: Sequence[str] = INSTALLED) -> list[str]:
    """Return the command, with settings in which the chip has its label."""
    FOLDER.mkdir(exist_ok=True)
    settings = FOLDER.with_suffix(".toml")
    settings.write_text(
        f'[board]\npins = "{pins}"\nchip = "{LABEL}"\n[screen]\nkind = "none"\n[journal]\npath = "{FOLDER}/journal.db"\n{more}'
    )
    return [*program, verb, "--settings", str(settings)]


@contextlib.contextmanager
def busy(processes: int) -> Iterator[None]:
    loads = [subprocess.Popen([sys.executable, "-S", "-c", "while True: pass"]) for _ in range(processes)]
    try:
        yield
    finally:
        for load in loads:
            load.kill()
            load.wait()


def settled(edges: list[Edge]) -> None:
    seen, pause = -1, threading.Event()
    while seen != len(edges):
        seen = len(edges)
        pause.wait(QUIET_S)


def notifications(edges: list[Edge]) -> list[tuple[str, bool, int, bool]]:
    return [(edge.button, edge.down, edge.at, edge.stamped) for edge in edges]


class RunningHall:
    def __init__(self, made: CompleteHall, socket: Path) -> None:
        (clock,) = made.clocks
        self.settings = f'[hall]\nenabled = true\ntable = 12\nsocket = "{socket}"\ntrust = "{clock.trust}"\nkey = "{clock.key}"\n'
        """The clock's."""
        self._store = HALL / "hall.db"

    def has(self, journal: Path) -> int:
        """Wait until the listener has each row that the journal has now; return how many."""
        (rows,) = _asked(journal, "SELECT max(seq) FROM rows")
        until = time.monotonic() + ARRIVES_S
        while not self._store.exists() or _asked(self._store, "SELECT count(*) FROM rows") != (rows,):
            if time.monotonic() > until:
                raise TimeoutError(_asked(self._store, "SELECT count(*), max(seq) FROM rows"))
            time.sleep(0.1)
        return int(rows)

    def compared(self, journal: Path) -> tuple[int, str]:
        done = subprocess.run(
            [*_tilehall("verify"), "--store", str(self._store), str(journal)], capture_output=True, text=True, check=False
        )
        return done.returncode, done.stdout + done.stderr


@contextlib.contextmanager
def running_hall(served: Path) -> Iterator[RunningHall]:
    """Start broker, link and listener for the clock that serves ``served``."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, _SET_FLAGS, struct.pack("16sh14x", b"lo", _UP))
    shutil.rmtree(HALL, ignore_errors=True)
    made = complete_hall(HALL, clocks=1, stations=0)
    with contextlib.ExitStack() as stack:
        broker = stack.enter_context(running_broker(HALL / "broker", made.files))
        where = ("--host", broker.host, "--port", str(broker.port))
        listener, link = made.listener.key.parent, made.clocks[0].identity.key.parent
        for words in (
            ("listen", "--folder", str(listener), "--store", str(HALL / "hall.db"), "--http", "0"),
            ("link", "--folder", str(link), "--socket", str(served)),
        ):
            process = stack.enter_context(subprocess.Popen([*_tilehall(*words), *where], stderr=subprocess.DEVNULL))
            stack.callback(process.kill)
        yield RunningHall(made, served)


def _tilehall(*words: str) -> list[str]:
    return [sys.executable, f"{PARTS}/bin/tilehall", *words]


def _asked(file: Path, query: str) -> tuple[int, ...]:
    with contextlib.closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as opened:
        found: tuple[int, ...] = opened.execute(query).fetchone()
        return found


SCENARIOS: Final[dict[str, Callable[..., dict[str, Any]]]] = {
    each.__name__: each
    for each in (watch, flood, idle, wearing, game, displays, doctor, rpi_lgpio_doctor, rpi_lgpio_presses, rpi_lgpio_tones)
}

if __name__ == "__main__":
    asked = json.loads(sys.argv[1])
    make_chip()
    print(json.dumps(SCENARIOS[asked.pop("do")](**asked)))  # noqa: T201 - the answer
