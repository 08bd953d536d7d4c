"""Coverage-guided fuzzing of the reader, by hand: ``python tests/lexicon/fuzz/fuzz_reader.py -max_total_time=600`` in an environment with atheris.

Needs Python 3.11 to 3.13, ``atheris==3.0.0`` and this project. Any exception other than a LexiconError ends it with the input that caused it; so does a file
that passes ``verify`` and holds something else than a plain reading of it finds. The suite runs the same questions on inputs that hypothesis draws.
"""

import sys
import tempfile
from collections import Counter
from pathlib import Path

import atheris  # type: ignore[import-untyped] # is not installed for the suite, and ships no types

sys.path.insert(0, str(Path(__file__).parents[3]))

with atheris.instrument_imports(include=["lexicon"]):
    from tests.lexicon.fuzz.mutating import asked, memory_file, mutated, recrafted
    from tests.lexicon.making import example

_seen: Counter[str] = Counter()


def _changes(data: atheris.FuzzedDataProvider, most: int, width: int) -> list[tuple[int, int]]:
    return [(data.ConsumeInt(2), data.ConsumeInt(width)) for _ in range(data.ConsumeIntInRange(0, most))]


def _one(whole: bytes, path: Path, raw: bytes) -> None:
    data = atheris.FuzzedDataProvider(raw)
    way = data.PickValueInList(["bytes", "sealed", "units", "counted", "anything"])
    if way == "anything":
        content = data.ConsumeBytes(2000)
    elif way in ("bytes", "sealed"):
        changes = [(at, value & 0xFF) for at, value in _changes(data, 6, 1)]
        content = mutated(whole, changes, data.ConsumeIntInRange(0, 2 * len(whole)), seal=way == "sealed")
    else:
        root = data.ConsumeIntInRange(0, 12) if data.ConsumeBool() else None
        content = recrafted(whole, _changes(data, 4, 4), root, count=way == "counted").sealed()
    path.write_bytes(content)
    _seen[f"{way}, {'whole' if asked(path) else 'refused'}"] += 1
    if sum(_seen.values()) % 20_000 == 0:
        sys.stderr.write(f"{dict(_seen)}\n")


def main() -> None:
    """Fuzz until told to stop; the arguments are libFuzzer's."""
    with tempfile.TemporaryDirectory() as folder:
        whole = example(Path(folder) / "example.dawg").read_bytes()
    path = memory_file()
    atheris.Setup(sys.argv, lambda raw: _one(whole, path, raw))
    atheris.Fuzz()


if __name__ == "__main__":
    main()
