"""Nobody learns from the time a verdict takes which word failed, or how many. To repeat: ``pytest tests/benchmarks/test_station_timing.py -s -p no:xdist --timeout 1800``.

10,000 plays of each way, all in one run and shuffled together. Each way is held against the others by its middle time, within 2 %, and by a rank test at p = 0.01.
Many pairs are tested, and chance alone would tell some pair apart now and then: the p that counts is the smallest times the number of pairs (Bonferroni).
"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from itertools import combinations
from pathlib import Path
from statistics import median

import pytest

from kiosk.lexicons.loading import Loaded, load
from kiosk.shell.judging import judge
from tests.benchmarks.figures import Figures
from tests.benchmarks.lexicon_files import lexicon_built
from tests.benchmarks.lexicon_words import made_up, misses
from tests.benchmarks.station_bench import bench, tab
from tests.benchmarks.station_plays import WAYS, plays
from tests.benchmarks.two_samples import told_apart

EACH = int(os.environ.get("STATION_PLAYS", "10000"))
P = 0.01


@pytest.fixture(scope="module")
def words() -> list[str]:
    return made_up()


@pytest.fixture(scope="module")
def loaded(words: list[str], tmp_path_factory: pytest.TempPathFactory) -> Loaded:
    path = tmp_path_factory.mktemp("timing") / "long.dawg"
    lexicon_built(words, path)
    found = load(path)
    assert isinstance(found, Loaded)
    return found


def test_the_verdicts_time_is_the_same_whichever_words_fail(loaded: Loaded, words: list[str], figures: Figures) -> None:
    took: dict[str, list[int]] = {way: [] for way in WAYS}
    for way, play in plays(words, misses(words, 2000), EACH, tuple(WAYS)):
        begun = time.perf_counter_ns()
        acceptable = judge(loaded.lexicon, play)
        took[way].append(time.perf_counter_ns() - begun)
        assert acceptable == (way == "none fails")
    held_alike("the look-up alone", took, figures)


@pytest.mark.usefixtures("no_display")
def test_from_the_key_to_the_drawn_page_the_time_is_the_same_whichever_words_fail(
    loaded: Loaded, words: list[str], tmp_path: Path, figures: Figures
) -> None:
    """The log's commit and the drawing included, under SDL's driver for no screen. A play that is acceptable has another page: that tells, and may."""
    ways = tuple(way for way in WAYS if WAYS[way])
    took: dict[str, list[int]] = {way: [] for way in ways}
    with bench(tmp_path, Path(loaded.lexicon.path), (800, 480)) as station:
        for way, play in plays(words, misses(words, 2000), EACH, ways):
            station.checking(play)
            station.loop.turn()
            begun = time.perf_counter_ns()
            tab()
            station.loop.turn()
            took[way].append(time.perf_counter_ns() - begun)
            assert station.loop.page is not None
            assert station.loop.page.name.startswith("verdict")
    held_alike("key to drawn page", took, figures)


@pytest.fixture
def no_display(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")


def held_alike(what: str, took: Mapping[str, Sequence[int]], figures: Figures) -> None:
    """Add the figures of the ways' times (ns), and fail where they can be told apart."""
    middles = {way: median(times) for way, times in took.items()}
    apart = (max(middles.values()) - min(middles.values())) / min(middles.values())
    pairs = list(combinations(took, 2))
    least, pair = min((told_apart(took[one], took[other]), (one, other)) for one, other in pairs)
    corrected = min(1.0, least * len(pairs))
    figures.add(
        f"station, {what}: {EACH:,} plays of each way, middles",
        f"{min(middles.values()) / 1e6:.4f} ms, {100 * apart:.3f} % apart",
        "within 2 %",
        held=apart < 0.02,
    )
    figures.add(
        f"station, {what}: told apart by the rank test",
        f"p = {corrected:.3f} of {len(pairs)} pairs ({least:.4f}: {pair[0]} / {pair[1]})",
        f"p > {P}",
        held=corrected > P,
    )
    assert apart < 0.02
    assert corrected > P
