"""What a simulation measured: the journals against the listener's store by hash, delays, readings, traffic, and what each program needs."""

from __future__ import annotations

import os
import time
from array import array
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from appliance.records.rows import last_of, links
from hall.store.store import reading_store
from records.journal import reading
from rules.duration import NS
from tools.simulate.listening import Heard
from tools.simulate.plan import SimulationPlan
from tools.simulate.worker import Played, Samples, apart

_TICKS: Final = os.sysconf("SC_CLK_TCK")
_RECOVERY_S: Final = 20
"""After an outage readings count again from then on: 5 s to dial again at most, then a new exchange of stamps."""
_MB: Final = 1024


class Usage(Struct, frozen=True):
    """What a process has used: seconds of processor time at an instant (s), and its memory in MiB."""

    cpu_s: float
    at: float
    rss_mb: float

    def since(self, before: Usage) -> dict[str, float]:
        """Return its share of one core since ``before``, and its memory now."""
        return {"cores": round((self.cpu_s - before.cpu_s) / (self.at - before.at), 4), "rss_mb": round(self.rss_mb, 1)}


def usage_of(pid: int) -> Usage:
    """Return what a process has used so far; nothing if it has ended."""
    process = Path(f"/proc/{pid}")
    try:
        fields = (process / "stat").read_text(encoding="ascii").rpartition(")")[2].split()
        status = (process / "status").read_text(encoding="utf-8")
    except OSError:
        return Usage(0.0, time.monotonic(), 0.0)
    # utime and stime: proc(5), fields 14 and 15.
    ticks = int(fields[11]) + int(fields[12])
    resident = next((int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS:")), 0)
    return Usage(ticks / _TICKS, time.monotonic(), resident / _MB)


def rows_in(journal: Path) -> int:
    """Return how many rows a journal has."""
    with reading(journal) as connection:
        return (last_of(connection) or (0, ""))[0]


def result(  # noqa: PLR0913 - the parts of the measurement
    plan: SimulationPlan,
    journals: Sequence[tuple[str, Path]],
    played: Sequence[Played],
    heard: Heard,
    used: dict[str, dict[str, float]],
    *,
    folder: Path,
    store: Path,
) -> dict[str, Any]:
    """Return the figures as they are printed.

    Args:
        plan: the parameters.
        journals: each device with its journal.
        played: what the tables said.
        heard: what the listener said.
        used: what broker, listener and the one link used during play.
        folder: where samples and delays are.
        store: the listener's file.
    """
    rows, missing, strange = _compared(journals, store)
    return {
        "tables": plan.tables,
        "seconds": plan.seconds,
        "presses": sum(each.presses for each in played),
        "rows": rows,
        "lost": missing,
        # Each row that came to the disk beyond those of the journals.
        "doubled": max(strange, heard.rows - (rows - missing)),
        "press_to_row_ms": _spread(_read(folder / "latencies")),
        "remote_clock_ms": _spread(_apart(plan, folder)),
        "messages_per_s": round(heard.messages / plan.seconds, 1),
        "bytes_per_table": round(heard.size / plan.tables),
        "bytes_per_table_s": round(heard.size / plan.tables / plan.seconds, 1),
        "journals_complete": all(each.complete for each in played),
        "broker": used["broker"],
        "listener": used["listener"],
        "link": used["link"],
    }


def _compared(journals: Sequence[tuple[str, Path]], store: Path) -> tuple[int, int, int]:
    """Return the rows of all journals, those that the store lacks, and those that only the store has."""
    rows = missing = strange = 0
    with reading_store(store) as held:
        for device, journal in journals:
            with reading(journal) as connection:
                own = {(link.seq, link.hash) for link in links(connection, 1)}
            seen = {(row.seq, row.hash) for known in held.epochs(device) for row in held.rows(device, known.epoch)}
            rows += len(own)
            missing += len(own - seen)
            strange += len(seen - own)
    return rows, missing, strange


def _apart(plan: SimulationPlan, folder: Path) -> Sequence[int]:
    seen = Samples.read(folder / "samples-listener", range(plan.tables), plan.seconds)
    middle = (plan.seconds - plan.outage_s) // 2
    cut = range(middle, middle + plan.outage_s + _RECOVERY_S) if plan.outage_s else range(0)
    found = array("q")
    for number, share in enumerate(plan.shares()):
        found.extend(apart(Samples.read(folder / f"samples-{number}", share, plan.seconds), seen, cut))
    return found


def _read(path: Path) -> Sequence[int]:
    values = array("q")
    values.frombytes(path.read_bytes())
    return values


def _spread(values: Sequence[int]) -> dict[str, float | None]:
    """Return p50, p99 and the largest in ms, and how many there were."""
    ordered = sorted(values)
    if not ordered:
        return {"p50": None, "p99": None, "max": None, "count": 0}

    def at(share: int) -> float:
        return _ms(ordered[max(0, -(-share * len(ordered) // 100) - 1)])

    return {"p50": at(50), "p99": at(99), "max": _ms(ordered[-1]), "count": len(ordered)}


def _ms(ns: int) -> float:
    return round(ns * 1000 / NS, 2)


def in_words(found: dict[str, Any]) -> Iterator[str]:
    """Yield the figures of ``result``, one a line."""
    yield f"{found['tables']} tables, {found['seconds']} s, {found['presses']} presses, {found['rows']} rows."
    yield f"Lost: {found['lost']}. Doubled: {found['doubled']}."
    yield f"From a press to its row at the listener: {_spread_words(found['press_to_row_ms'])}."
    yield f"A remote reading and the clock's own are apart: {_spread_words(found['remote_clock_ms'])}."
    yield f"{found['messages_per_s']} messages a second; {found['bytes_per_table_s']} bytes a second for each table."
    for name in ("broker", "listener", "link"):
        used = found[name]
        yield f"The {name} used {used['cores'] * 100:.1f} % of a core and {used['rss_mb']:.1f} MiB."


def _spread_words(values: dict[str, Any]) -> str:
    if not values["count"]:
        return "nothing was measured"
    return f"p50 {values['p50']:.1f} ms, p99 {values['p99']:.1f} ms, at most {values['max']:.1f} ms ({values['count']} values)"
