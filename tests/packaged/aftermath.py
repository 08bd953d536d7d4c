"""What is on a card after the power was cut: looked at here, on copies, with the kernel's own tools for the file system and the project's own for the journal."""

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from appliance.records.chain import ChainLink
from firmware.journal.recovery import Recovered, recover
from game.journal.reading import Mark, read_mark, reading, rows_from, verify
from game.journal.row import GameStamp, Kind, Row, decode
from rules.rulebooks import load_rulebook
from tests.machine.cache import scratch

JOURNAL: Final = "journal.db"
_REPAIRED: Final = 1
"""What e2fsck ends with where it has put something right; above it, it has not."""


@dataclass(frozen=True, slots=True)
class Aftermath:
    """The journal that was found."""

    rows: tuple[ChainLink[Row], ...]
    mark: Mark
    recovered: Recovered

    @property
    def own_uncertain_ns(self) -> int:
        """What this cut left uncertain, in ns: a start in another boot knows no better."""
        return self.recovered.uncertain_ns(GameStamp(0, 0, "the next boot", ""))

    @property
    def uncertain_ns(self) -> int:
        """What the next start has to say is uncertain, with what an earlier one said and nobody has confirmed, in ns."""
        earlier = self.recovered.unconfirmed
        return self.own_uncertain_ns + (0 if earlier is None else int(decode(earlier.row.body)["uncertain_ns"]))

    def said(self, kind: Kind, boot: str) -> list[dict[str, Any]]:
        return [decode(kept.row.body) for kept in self.rows if kept.row.kind == kind and kept.row.boot == boot]


def look(card: Path, keep: Path | None = None) -> Aftermath:
    """Return what is on ``card``, which stays as it is; its journal is copied into the folder ``keep`` too.

    Raises:
        AssertionError: file system or journal are not sound.
    """
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
        return _read(work / JOURNAL)


def _read(path: Path) -> Aftermath:
    with reading(path) as connection:
        found, rows, mark = verify(connection), tuple(rows_from(connection, 1)), read_mark(connection)
    assert found.fault is None, found.fault
    recovered = recover(path, load_rulebook)
    assert recovered is not None
    assert mark is not None
    assert recovered.refused == ()
    return Aftermath(rows, mark, recovered)


def _e2fsck(how: str, image: Path) -> subprocess.CompletedProcess[str]:
    # C.UTF-8, or it may speak another language.
    return subprocess.run(["/usr/sbin/e2fsck", how, str(image)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
