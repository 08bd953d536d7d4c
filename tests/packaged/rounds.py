"""Twenty lives of one game on one card: card and cache, machine, a life from boot to cut, what is on the card then, and a summary of all.

The card is looked at here, on copies, with the kernel's own tools for the file system and the project's own for the journal.

Most machines boot with a first program of our own, for time's sake; ``BY_SYSTEMD`` says which boot as an appliance does, with the units that are shipped.

The root is Debian's with systemd and the units as they are shipped, and is mounted read-only; the program is on a disk of its own, so that a change of it makes
no new root; the data partition is what the mount unit asks for. Only the players are not shipped: ``inside``.

An emulator that is killed loses nothing that its machine had handed over, for this computer still writes it: kinder than a card. So every write is logged, by
qemu's blklogwrites driver, with the flushes between (the format is that of the kernel's dm-log-writes), and what the card holds is made of that log: all up
to the last flush, and of the rest what a die decides. Instants are CLOCK_MONOTONIC's in ns, of that boot.
"""

import contextlib
import os
import random
import shutil
import statistics
import struct
import subprocess
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from appliance.records.chain import ChainLink
from firmware.journal.recovery import Recovered, recover
from game.exact_json import decode
from records.journal import GameStamp, Kind, Mark, Row, read_mark, reading, rows_from, verify
from rules.duration import NS
from rules.rulebooks import load_rulebook
from tests.machine.cache import made, of_files, scratch
from tests.machine.debian import root_tar, run
from tests.machine.guest import Disk, Guest, Silent
from tests.machine.image import ext4, root_image
from tests.machine.initramfs import initramfs
from tests.machine.kernel import backports_kernel
from tests.machine.python import ROOT, SUITE, install, libraries, project_wheel
from tests.packaged import container
from tests.packaged.container import PACKAGES, UNITS, lay_units
from tests.some import some

JOURNAL: Final = "journal.db"
_REPAIRED: Final = 1
"""What e2fsck ends with where it has put something right; above it, it has not."""


class Aftermath(Struct, frozen=True):
    rows: tuple[ChainLink[Row], ...]
    mark: Mark
    recovered: Recovered

    @property
    def own_uncertain_ns(self) -> int:
        """What this cut left uncertain, in ns: a start in another boot knows no better."""
        return self.recovered.uncertain_ns(GameStamp(0, 0, "the next boot", ""))

    @property
    def uncertain_ns(self) -> int:
        """What the next start has to say is uncertain, with what an earlier one said and is unconfirmed, in ns."""
        earlier = self.recovered.unconfirmed
        return self.own_uncertain_ns + (0 if earlier is None else int(decode(earlier.row.body)["uncertain_ns"]))

    def said(self, kind: Kind, boot: str) -> list[dict[str, Any]]:
        return [decode(kept.row.body) for kept in self.rows if kept.row.kind == kind and kept.row.boot == boot]


def look(card: Path, keep: Path | None = None) -> Aftermath:
    """Return what is on ``card``, which stays as it is; its journal is copied into the folder ``keep`` too."""
    with scratch() as work:
        copy = work / "card"
        shutil.copyfile(card, copy)
        # First what the kernel does when it mounts: the file system's own journal. Then everything is looked at.
        replayed = _e2fsck("-p", copy)
        assert replayed.returncode <= _REPAIRED, replayed.stdout
        checked = _e2fsck("-fn", copy)
        assert checked.returncode == 0, f"{replayed.stdout}\n{checked.stdout}"
        for name in (JOURNAL, f"{JOURNAL}-wal"):
            subprocess.run(["debugfs", "-R", f"dump /{name} {work / name}", str(copy)], capture_output=True, check=True)
        if keep is not None:
            for file in work.glob(f"{JOURNAL}*"):
                shutil.copy(file, keep)
        with reading(work / JOURNAL) as connection:
            found, rows, mark = verify(connection), tuple(rows_from(connection, 1)), read_mark(connection)
        assert found.fault is None, found.fault
        recovered = some(recover(work / JOURNAL, load_rulebook))
        assert mark is not None
        assert recovered.refused == ()
        return Aftermath(rows, mark, recovered)


def _e2fsck(how: str, image: Path) -> subprocess.CompletedProcess[str]:
    # C.UTF-8, or it may speak another language.
    return subprocess.run(["/usr/sbin/e2fsck", how, str(image)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)


SECTOR: Final = 512
PAGE: Final = 4096
"""What a card writes whole or not at all; a longer write may be cut between two pages."""
_MAGIC: Final = 0x6A736677736872
_HEAD: Final = struct.Struct("<QQQL")
_ENTRY: Final = struct.Struct("<QQQQ")
_FLUSH: Final = 1
_DISCARD: Final = 4


class Write(Struct, frozen=True):
    at: int
    data: bytes


class Cut(Struct, frozen=True):
    safe: int
    lost: int
    """Of those that were not flushed, so many are gone, wholly or in part,"""
    stayed: int
    """and so many are there."""


def settle(entries: Sequence[Write | None], before: Path, card: Path, chance: random.Random) -> Cut:
    """Make ``card``: what a card that held ``before`` holds when the power is cut after ``entries``."""
    last = max((place for place, entry in enumerate(entries) if entry is None), default=-1)
    safe, cached = ([entry for entry in part if entry is not None] for part in (entries[: max(0, last)], entries[last + 1 :]))
    shutil.copyfile(before, card)
    stayed = 0
    with card.open("r+b") as disk:
        for write in safe:
            os.pwrite(disk.fileno(), write.data, write.at)
        for write in cached:
            pages = -(-len(write.data) // PAGE)
            kept = chance.choice((0, pages, chance.randrange(pages + 1)))
            stayed += kept == pages
            os.pwrite(disk.fileno(), write.data[: kept * PAGE], write.at)
    return Cut(len(safe), len(cached) - stayed, stayed)


def _entries(raw: bytes) -> Iterator[Write | None]:
    """Yield what the machine wrote, in its order; None is a flush. An entry that was being logged when the power went was never the machine's to rely on."""
    magic, _version, _count, sector = _HEAD.unpack_from(raw)
    assert (magic, sector) == (_MAGIC, SECTOR), f"not a log of writes: {raw[:32]!r}"
    place = SECTOR
    # The count in the head is behind; what was never logged is zero.
    while place + SECTOR <= len(raw) and any(raw[place : place + _ENTRY.size]):
        at, sectors, flags, _ = _ENTRY.unpack_from(raw, place)
        assert not flags & _DISCARD, "a data partition is mounted without discard"
        data = raw[place + SECTOR : place + SECTOR + sectors * SECTOR]
        if len(data) < sectors * SECTOR:
            return
        place += SECTOR + len(data)
        if data:
            yield Write(at * SECTOR, data)
        if flags & _FLUSH:
            yield None


INSIDE: Final = Path(__file__).resolve().parent / "inside"
SIMULATED: Final = ROOT / "tests" / "kernel" / "inside"
MOUNT: Final = "var-lib-tileclock.mount"
ENABLED: Final = ("tileclock.service", "tileclock-poweroff.path", MOUNT, "chip.service", "table.service")
DATA_MIB: Final = 64
SYSTEMD: Final = "/sbin/init"
OWN: Final = "/tileclock-init"
"""Boots in a third of the time: the same mounts, and nothing else."""


class Station:
    """The machine; what it is made of stays the same for all its boots, whatever becomes of the tree meanwhile."""

    def __init__(self) -> None:
        kernel = backports_kernel()
        self._kernel, self._initrd = kernel.image, initramfs(kernel, ("gpio-sim",))
        self._root, self._program = Disk(_root()), Disk(_program())

    def boot(self, data: Path, log: Path, *words: str, init: str) -> Guest:
        disks = (self._root, self._program, Disk(data, kept=True, log=log))
        return Guest(self._kernel, self._initrd, disks, init=init, append=" ".join(("ro quiet", *words)), cores=1)


def new_data(image: Path) -> None:
    with scratch() as work:
        (work / "root").mkdir()
        ext4(work / "root", image, DATA_MIB, "tileclock-data")


def _root() -> Path:
    library = libraries()

    def edit(root: Path) -> None:
        lay_units(root)
        units = root / "usr/lib/systemd/system"
        for unit in (UNITS / "data" / MOUNT, *INSIDE.glob("*.service")):
            shutil.copy(unit, units)
        shutil.copytree(library, root / "opt/libraries", symlinks=True)
        for folder in ("opt/tileclock", "var/lib/tileclock", "boot/firmware", "etc/systemd/system/tileclock.service.d"):
            (root / folder).mkdir(parents=True)
        # What an installed machine has of its own: its id, its settings, the command, and no tree of the card but the data to write to.
        for source, target in (("tileclock", "usr/bin/tileclock"), ("init", "tileclock-init")):
            shutil.copy(INSIDE / source, root / target)
            (root / target).chmod(0o755)
        (root / "etc/tileclock").mkdir()
        shutil.copy(INSIDE / "clock.toml", root / "etc/tileclock/clock.toml")
        (root / "etc/machine-id").write_text("0123456789abcdef0123456789abcdef\n")
        shipped = [line for line in (UNITS / "boot/fstab").read_text().splitlines() if line.startswith("tmpfs")]
        (root / "etc/fstab").write_text("\n".join([*shipped, "/dev/vdb /opt/tileclock ext4 ro 0 0", ""]))
        run("systemctl", f"--root={root}", "enable", *ENABLED)
        run("systemctl", f"--root={root}", "mask", "serial-getty@ttyS0.service", "apt-daily.timer", "apt-daily-upgrade.timer")
        # As the drop-in itself has it for a clock without a screen; after the enabling, for which there is no /dev/null yet.
        (root / "etc/systemd/system/tileclock.service.d/screen.conf").symlink_to("/dev/null")
        run("systemd-sysusers", f"--root={root}")

    inputs = [library.name, of_files([UNITS, INSIDE, Path(__file__), Path(container.__file__)])]
    return root_image("appliance-root", root_tar(SUITE, PACKAGES), inputs, edit, mib=700)


def _program() -> Path:
    wheel = project_wheel()

    def make(image: Path) -> None:
        with scratch() as work:
            install(wheel, work / "program")
            for each in (INSIDE, SIMULATED):
                shutil.copytree(each, work / "program" / each.relative_to(ROOT))
            ext4(work / "program", image, mib=32)

    return made("appliance-program", ".ext4", [wheel.parent.name, of_files([INSIDE, SIMULATED])], make)


BOOT_S: Final = 900
PLAYERS: Final = ("left", "right", "centre")


class Known(Struct, frozen=True):
    """What could be read in the journal, and was therefore on the card."""

    seq: int
    hash: str
    at: int
    mono: int
    commit_ns: int
    now: int


class Press(Struct, frozen=True):
    """A contact that closed, at an instant between the two."""

    button: str
    before: int
    after: int


@dataclass(slots=True)
class Life:
    boot: str = ""
    known: list[Known] = field(default_factory=list)
    pressed: list[Press] = field(default_factory=list)
    """What was pressed to play: not before the director had looked."""
    lamps: list[str] = field(default_factory=list)
    stopped: bool | None = None
    """The game stood, whatever the players pressed before the director had looked; None: not tried."""
    playing: bool = False
    ready_s: float = 0
    """How long it took from the start of the machine until the clock was ready, in s here."""
    last: int = 0
    """The last instant that was reported: the power was cut later."""
    longest_gap: int = 0
    """The longest time (ns) in which the emulated machine did not come to tell that time goes on."""
    _plays: bool = False

    @property
    def runs(self) -> bool:
        """A clock ran at the cut, by its lamp."""
        return self.lamps[-1:] not in ([], ["dark"])

    def hear(self, line: str) -> None:
        """Take in one line."""
        word, *rest = line.split()
        assert word != "failed", line
        if word == "known":
            seq, digest, *numbers = rest
            self.known.append(Known(int(seq), digest, *map(int, numbers)))
            self._came_to(int(numbers[-1]))
        elif word == "now":
            self._came_to(int(rest[0]))
        elif word == "pull" and rest[1] == "down" and rest[0] in PLAYERS and self._plays:
            self.pressed.append(Press(rest[0], int(rest[2]), int(rest[3])))
        elif word == "ready":
            self.boot = rest[1]
        elif word == "lamps":
            self.lamps.append(rest[0])
        elif word in ("stopped", "runs", "new"):
            self.stopped = {"stopped": True, "runs": False, "new": None}[word]
            self._plays = True
        self.playing |= word == "playing"

    def _came_to(self, now: int) -> None:
        if self.last:
            self.longest_gap = max(self.longest_gap, now - self.last)
        self.last = max(self.last, now)


def lived(guest: Guest, since: str, delay_s: float) -> Life:
    """Listen to a machine, cut its power ``delay_s`` after it has said the word ``since``, and return what it told."""
    life, begun = Life(), time.monotonic()
    line = ""
    while not line.startswith(since):
        line = guest.line(BOOT_S)
        life.hear(line)
        if line.startswith("ready"):
            life.ready_s = time.monotonic() - begun
    cut = time.monotonic() + delay_s
    while (left_s := cut - time.monotonic()) > 0:
        with contextlib.suppress(Silent):
            life.hear(guest.line(left_s))
    assert guest.runs, guest.console
    guest.kill()
    # What had been said before the cut.
    with contextlib.suppress(Silent):
        while True:
            life.hear(guest.line(1))
    return life


CUTS: Final = 20
"""In a running game, each with a boot after it; the last boot is cut too, and after every tenth comes one more, while the game is just coming back."""
LONGEST_S: Final = 5.0
OTHERS: Final = 5
BY_SYSTEMD: Final = frozenset({0, 10, 20})


class Round(Struct, frozen=True):
    """One life, its end, and what was on the card then."""

    life: Life
    cut: Cut
    found: Aftermath
    running: bool
    """It was cut in a running game."""
    init: str
    others: tuple[Aftermath, ...]
    """What would have been on the card, had the power been cut at other instants of this life: while something was being written."""

    @property
    def missing_ns(self) -> int:
        """How much time of a running clock had gone by before the cut, and is on no card, in ns."""
        if self.found.recovered.clock_ran and self.found.recovered.last.boot == self.life.boot:
            return self.life.last - self.found.recovered.last.mono
        # The press that had it run is on no card.
        return self.life.last - self.life.pressed[-1].before if self.life.runs else 0


def plan(seed: int) -> Iterator[tuple[str, str, float]]:
    """Yield what each life is: the first program, the word after which it is cut, and how many seconds after it."""
    chance = random.Random(seed)  # noqa: S311 - no secret
    for number in range(CUTS + 1):
        if number % 10 == 5:
            yield OWN, "ready", chance.uniform(0, 2)
        yield SYSTEMD if number in BY_SYSTEMD else OWN, "playing", chance.uniform(0 if number else 1, LONGEST_S)


def played(work: Path, kept: Path, seed: int) -> Iterator[Round]:
    """Play the game in the folder ``work`` and yield each life; the journal is kept in the folder ``kept``."""
    chance = random.Random(seed + 1)  # noqa: S311 - no secret
    card, kind, log, before = (work / name for name in ("card", "kind", "log", "before"))
    new_data(card)
    station = Station()
    for number, (init, since, delay_s) in enumerate(plan(seed)):
        card.replace(before)
        shutil.copyfile(before, kind)
        log.write_bytes(b"")
        words = (f"tc.game={'old' if number else 'new'}", f"tc.seed={chance.randrange(1 << 32)}")
        with station.boot(kind, log, *words, init=init) as guest:
            life = lived(guest, since, delay_s)
        # As the emulator left it: a card that loses nothing.
        look(kind)
        entries = list(_entries(log.read_bytes()))
        others = tuple(_others(entries, before, card, chance)) if number else ()
        cut = settle(entries, before, card, chance)
        yield Round(life, cut, look(card, kept), since == "playing", init, others)


def _others(entries: list[Write | None], before: Path, card: Path, chance: random.Random) -> Iterator[Aftermath]:
    """Cut the power at other instants, between a write and the flush after it."""
    flushes = [place for place, entry in enumerate(entries) if entry is None]
    open_at = [place for place in range(1, max(flushes)) if entries[place - 1] is not None]
    for place in sorted(chance.sample(open_at, min(OTHERS, len(open_at)))):
        settle(entries[:place], before, card, chance)
        yield look(card)


def summary(rounds: list[Round], seed: int) -> Iterator[str]:
    running = [each for each in rounds if each.running]
    missing, said = [each.missing_ns for each in running], [each.found.own_uncertain_ns for each in running]
    promised = [known.commit_ns for each in rounds for known in each.life.known]
    yield f"{len(running)} cuts in a running game and {len(rounds) - len(running)} in one coming back, on one card (seed {seed}), at random instants"
    yield f"  time that was on no card: median {_s(statistics.median(missing))}, at most {_s(max(missing))}; the clock said {_s(max(said))} at most"
    yield f"  the delay that a mark promised: median {_s(statistics.median(promised))}, at most {_s(max(promised))}"
    lost, stayed, safe = (sum(getattr(each.cut, name) for each in rounds) for name in ("lost", "stayed", "safe"))
    yield f"  writes of the machines: {safe} flushed, {stayed + lost} not; of these the card lost {lost} with its cache"
    yield f"  {sum(len(each.others) for each in rounds)} more cuts of the same lives while something was being written, on copies of the card: all sound"
    presses = sum(len(each.life.pressed) for each in rounds)
    yield f"  {presses} presses; {len(rounds[-1].found.rows)} rows in the journal at the end, none lost that could be read before the cut"
    for init, name in ((OWN, "a first program of our own"), (SYSTEMD, "systemd and the shipped units")):
        boots = [each.life.ready_s for each in rounds if each.init == init]
        yield f"  {len(boots)} boots by {name}: the clock was ready after {statistics.median(boots):.0f} s (median), {max(boots):.0f} s at most"


def _s(ns: float) -> str:
    return f"{ns / NS:.3f} s"
