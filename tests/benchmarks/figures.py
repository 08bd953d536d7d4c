"""The figures of a benchmark run: what was measured, what was seen, what it must be. Printed as one plain table when all are in."""

import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from statistics import NormalDist

from msgspec import Struct


class Figure(Struct, frozen=True):
    what: str
    seen: str
    must: str = ""
    held: bool | None = None
    """Whether the mark was reached; None where there is none."""


@dataclass(slots=True)
class Figures:
    rows: list[Figure] = field(default_factory=list)

    def add(self, what: str, seen: str, must: str = "", *, held: bool | None = None) -> None:
        self.rows.append(Figure(what, seen, must, held))

    def table(self) -> str:
        verdicts = {None: "", True: "reached", False: "MISSED"}
        lines = [("what", "seen", "must be", ""), *((row.what, row.seen, row.must, verdicts[row.held]) for row in self.rows)]
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines)


def percentile(values: Sequence[int], share: int) -> int:
    """Return the smallest value that at least ``share`` hundredths of ``values`` do not exceed."""
    ordered = sorted(values)
    return ordered[max(0, -(-share * len(ordered) // 100) - 1)]


def ms(ns: int) -> str:
    return f"{ns / 1e6:.1f} ms"


def told_apart(one: Sequence[int], other: Sequence[int]) -> float:
    """Return p: how often chance alone would put two samples of the same kind as far apart as these."""
    counts, mine = Counter(one) + Counter(other), Counter(one)
    below, ranks = 0, 0.0
    for value in sorted(counts):
        ranks += mine[value] * (below + (counts[value] + 1) / 2)
        below += counts[value]
    first, second, both = len(one), len(other), len(one) + len(other)
    rank_sum = ranks - first * (both + 1) / 2
    ties = sum(count**3 - count for count in counts.values()) / (both * (both - 1))
    deviation = (first * second / 12 * (both + 1 - ties)) ** 0.5
    return 2 * (1 - NormalDist().cdf(abs(rank_sum) / deviation)) if deviation else 1.0


@contextmanager
def busy(loops: int) -> Iterator[None]:
    spinning = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(loops)]
    try:
        yield
    finally:
        for each in spinning:
            each.kill()
            each.wait()
