"""Twenty lives of one game on one card: how each goes and ends, and what is told of them all.

Most machines boot with a first program of our own, for time's sake; ``BY_SYSTEMD`` says which boot as an appliance does, with the units that are shipped.
"""

import random
import shutil
import statistics
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from rules.duration import NS
from tests.packaged.aftermath import Aftermath, look
from tests.packaged.card import Cut, Write, settle, written
from tests.packaged.life import Life, lived
from tests.packaged.station import OWN, SYSTEMD, Station, new_data

CUTS: Final = 20
"""In a running game, each with a boot after it; the last boot is cut too, and after every tenth comes one more, while the game is just coming back."""
LONGEST_S: Final = 5.0
OTHERS: Final = 5
BY_SYSTEMD: Final = frozenset({0, 10, 20})


@dataclass(frozen=True, slots=True)
class Round:
    """One life, its end, and what was on the card then."""

    life: Life
    cut: Cut
    found: Aftermath
    running: bool
    """It was cut in a running game."""
    init: str
    """Its first program."""
    others: tuple[Aftermath, ...]
    """What would have been on the card, had the power been cut at other instants of this life: while something was being written."""

    @property
    def missing_ns(self) -> int:
        """How much time of a running clock had gone by before the cut, and is on no card, in ns."""
        if self.found.recovered.clock_ran and self.found.recovered.boot == self.life.boot:
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
        entries = written(log)
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
