"""The lexicon beside what else keeps word lists, in one run. To repeat: ``.venv/bin/python -m pytest tests/benchmarks/test_lexicon.py -s -p no:xdist``.

Every figure is from a fresh process (``lexicon_trial``), and the contestants take turns, so that a busy machine is busy for all of them. Best and middle
are given; compare within a run, not between runs. Python is started with -I -S: as installed, without what a virtual environment's start-up loads.
"""

import subprocess
import sys
import time
from pathlib import Path
from statistics import median

import pytest
from msgspec import Struct

from tests.benchmarks import lexicon_trial
from tests.benchmarks.figures import Figures
from tests.benchmarks.lexicon_words import built, hits, long_list, made_cold, misses, side_by_side

ROUNDS = 40
LOOKUP_ROUNDS = 7
ASKED = 20_000
OURS, NATIVE = "lexicon", "marisa-trie, mmap"
KIB = 1024


class Field(Struct, frozen=True, dict=True):
    """The contestants, ready: their files of the same words, and where their libraries lie."""

    files: dict[str, Path]
    libraries: Path
    scratch: Path
    words: list[str]

    def asked(self, name: str, words: list[str]) -> Path:
        path = self.scratch / f"{name}.txt"
        path.write_text("\n".join(words), encoding="utf-8")
        return path

    def trial(self, name: str, task: str, asked: Path) -> list[int]:
        """Run ``lexicon_trial`` once; return its numbers, and last the ns that the whole process took."""
        command = [sys.executable, "-I", "-S", lexicon_trial.__file__, str(self.libraries), name, task, str(self.files[name]), str(asked)]
        begun = time.perf_counter_ns()
        ended = subprocess.run(command, stdout=subprocess.PIPE, check=True)
        return [*map(int, ended.stdout.split()), time.perf_counter_ns() - begun]


@pytest.fixture(scope="module")
def field(tmp_path_factory: pytest.TempPathFactory, figures: Figures) -> Field:
    scratch = tmp_path_factory.mktemp("lexicon")
    words, source = long_list(tmp_path_factory.mktemp("scowl"))
    files, missing = built(words, scratch)
    figures.add("lexicon: the words", f"{len(words):,}, {source}", "250,000", held=len(words) >= 250_000)
    for name in missing:
        figures.add(f"  {name}", "not installed: make bench installs it")
    return Field(files, side_by_side(tmp_path_factory.mktemp("libraries")), scratch, words)


@pytest.mark.parametrize("state", ["warm", "cold"])
def test_a_play_is_judged_sooner_after_switching_on_than_by_any_other(field: Field, figures: Figures, state: str) -> None:
    play = field.asked("play", [*hits(field.words, 7), *misses(field.words, 1)])
    runs: dict[str, list[list[int]]] = {name: [] for name in field.files}
    for name, path in field.files.items():
        # Once for the .pyc files, and once for the file to lie in memory as after a restart: in pages read from it, not as it was written.
        field.trial(name, "verdict", play)
        made_cold(path)
        field.trial(name, "verdict", play)
    for _ in range(ROUNDS):
        for name, path in field.files.items():
            assert state == "warm" or made_cold(path), f"{path} stays in memory: on this file system nothing can be measured cold"
            runs[name].append(field.trial(name, "verdict", play))
    for name, ran in runs.items():
        assert {found for _, _, found, _ in ran} == {7}, name
    columns = {"import, open, judge": 0, "open, judge": 1, "the whole process": 3}
    times = {name: {part: [run[column] for run in ran] for part, column in columns.items()} for name, ran in runs.items()}
    figures.add(f"lexicon: a play of 8 words, {state} file, best of {ROUNDS} (middle), ms", "; ".join(columns))
    for name, parts in times.items():
        figures.add(f"  {name}", "; ".join(f"{min(taken) / 1e6:.2f} ({median(taken) / 1e6:.2f})" for taken in parts.values()))
    for part, taken in times[OURS].items():
        nearest, name = min((min(parts[part]), name) for name, parts in times.items() if name != OURS)
        figures.add(f"  {part}: ours of {name}'s", f"{min(taken) / nearest:.2f}", "under 1", held=min(taken) < nearest)


@pytest.mark.parametrize("kind", ["hits", "misses"])
def test_a_look_up_takes_at_most_twice_what_native_code_takes(field: Field, figures: Figures, kind: str) -> None:
    asked = field.asked(kind, hits(field.words, ASKED) if kind == "hits" else misses(field.words, ASKED))
    times: dict[str, list[int]] = {name: [] for name in field.files}
    for _ in range(LOOKUP_ROUNDS):
        for name in field.files:
            took, found, _ = field.trial(name, "lookups", asked)
            assert found == (ASKED if kind == "hits" else 0), name
            times[name].append(took // ASKED)
    figures.add(f"lexicon: a look-up, {ASKED:,} {kind} in no order, best of {LOOKUP_ROUNDS} (middle)", "")
    for name, taken in times.items():
        seen = f"{min(taken):,} ns ({median(taken):,.0f})"
        if name == OURS and NATIVE in times:
            most = 2 * min(times[NATIVE])
            figures.add(f"  {name}", seen, f"{most:,} ns", held=min(taken) <= most)
        elif name == OURS:
            figures.add(f"  {name}", seen)
        else:
            figures.add(f"  {name}", f"{seen}, {min(taken) / min(times[OURS]):.2f} of ours")


def test_opening_takes_no_memory_of_its_own(field: Field, figures: Figures) -> None:
    asked = field.asked("thousand", [*hits(field.words, 500), *misses(field.words, 500)])
    figures.add("lexicon: memory of the process's own for opening and 1,000 look-ups, and of the file", "")
    for name, path in field.files.items():
        anonymous, dirty, resident, found, _ = field.trial(name, "memory", asked)
        assert found == 500, name
        size = path.stat().st_size
        seen = f"{anonymous:,} KiB (dirty {dirty:,}), mapped {resident:,} of {-(-size // KIB):,} KiB, {size / len(field.words):.2f} bytes a word"
        if name == OURS:
            figures.add(f"  {name}", seen, "64 KiB", held=max(anonymous, dirty) < 64)
        else:
            figures.add(f"  {name}", seen)


@pytest.mark.parametrize("way", ["library", "command", "verify"])
def test_a_long_list_is_built_in_seconds_and_verified_in_less(field: Field, figures: Figures, root: Path, tmp_path: Path, way: str) -> None:
    text = field.asked("list", field.words)
    path = field.files[OURS] if way == "verify" else tmp_path / "built.dawg"
    command = [sys.executable, "-m", "tests.benchmarks.lexicon_at_work", way, str(text), str(path)]
    runs = []
    for _ in range(5):
        ended = subprocess.run(command, cwd=root, stdout=subprocess.PIPE, check=True)
        runs.append([int(number) for number in ended.stdout.split()[-3:]])
    took, cpu, peak = map(min, zip(*runs, strict=True))
    most_ms = 500 if way == "verify" else 4000
    what = "verified" if way == "verify" else f"built from text by the {way}"
    seen = f"{took:,} ms ({median(run[0] for run in runs):,.0f}), CPU {cpu:,} ms; {peak // KIB} MB at most"
    held = took < most_ms and peak < 150 * KIB
    figures.add(f"lexicon: {len(field.words):,} words {what}, best of 5 (middle)", seen, f"{most_ms:,} ms, 150 MB", held=held)
