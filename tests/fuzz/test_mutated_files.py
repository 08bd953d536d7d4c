"""Files of every kind with faults of every kind: each is read or refused in a sentence, within 2 s and 200 MB.

More of them: ``nice -n 19 python -m tests.fuzz.test_mutated_files 200000 SEED``, which prints a line for each kind.
"""

import io
import random
import shutil
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import redirect_stdout
from pathlib import Path
from typing import Final

from faults.errors import TileclockError
from tests.examples import examples
from tests.fuzz.files import Kind, kinds

LONGEST_S: Final = 2.0
"""Of the processor: a busy machine is no fault."""
MOST_KB: Final = 200_000
_LARGEST: Final = 100_000
_PIECES: Final = (
    b"\0", b"\r", b"\n", b"\t", b";", b",", b"|", b'"', b"'", b"[", b"]", b"{", b"}", b"=", b"#", b".", b"-", b"\\", b"\xff", b"\xef\xbb\xbf", b"\xff\xfe",
    b"\\ud800", b"\xed\xa0\x80", b"-1", b"0", b"00", b"1e999", b"nan", b"9" * 400, b"9" * 5000, b"\xd9\xa1", "é".encode(), b"\xe9", b"e\xcc\x81" * 50,
    b"PK\x03\x04", b"SQLite format 3\0", b"undefined", b"true", b"[[", b"{}", b"..", b"../", b"%s{0}", b'"""', b"1979-05-27T07:32:00Z", b"a.b.c",
)  # fmt: skip


def mutated(draw: random.Random, whole: Sequence[bytes]) -> bytes:
    """Return one of ``whole`` with one to six faults."""
    data = bytearray(draw.choice(whole))
    for _ in range(draw.choice((1, 1, 1, 2, 3, 6))):
        at = draw.randrange(len(data) + 1)
        end = min(len(data), at + draw.choice((1, 2, 8, 40, 500)))
        match draw.randrange(8):
            case 0:
                data[at:end] = b""
            case 1:
                data[at:at] = draw.choice(_PIECES)
            case 2:
                data[at:end] = draw.choice(_PIECES)
            case 3:
                data[at:end] = bytes(data[at:end]) * draw.choice((2, 30, 3000))
            case 4:
                data[at:end] = draw.randbytes(end - at)
            case 5:
                other = draw.choice(whole)
                begin = draw.randrange(len(other) + 1)
                data[at:end] = other[begin : begin + draw.choice((4, 100, 4096))]
            case 6:
                del data[at:]
            case 7:
                data[at:at] = draw.choice(_PIECES) * draw.choice((10, 1000))
        del data[_LARGEST:]
    return bytes(data)


def _kilobytes(of: str) -> int:
    return int(Path("/proc/self/status").read_text().partition(f"{of}:")[2].split()[0])


def fault_of(kind: Kind, path: Path) -> tuple[str, bool]:
    """Return what is wrong with reading ``path`` (empty: nothing), and whether it was read and not refused."""
    Path("/proc/self/clear_refs").write_text("5")
    before, began, taken = _kilobytes("VmRSS"), time.process_time(), True
    try:
        with redirect_stdout(io.StringIO()):
            kind.read(path)
    except TileclockError:
        taken = False
    except Exception:  # noqa: BLE001 - that is what is looked for
        return traceback.format_exc(), False
    seconds, kilobytes = time.process_time() - began, _kilobytes("VmHWM") - before
    if seconds > LONGEST_S or kilobytes > MOST_KB:
        return f"{seconds:.1f} s, {kilobytes:,} kB", taken
    return "", taken


def fuzzed(kind: Kind, count: int, seed: str, folder: Path) -> Iterator[tuple[bytes, str, bool]]:
    """Yield ``count`` mutated files with what is wrong with each (empty: nothing), and whether it was read."""
    draw = random.Random(f"{seed} {kind.name}")  # noqa: S311 - for repeatable faults
    for _ in range(count):
        own = folder / "file"
        own.mkdir()
        content = mutated(draw, kind.whole)
        (own / kind.name).write_bytes(content)
        yield content, *fault_of(kind, own / kind.name)
        shutil.rmtree(own)


def test_a_whole_file_of_each_kind_is_read(tmp_path: Path) -> None:
    refused = []
    for kind in kinds(tmp_path):
        own = tmp_path / "file"
        for content in kind.whole:
            own.mkdir()
            (own / kind.name).write_bytes(content)
            if fault_of(kind, own / kind.name) != ("", True):
                refused.append((kind.name, content[:200]))
            shutil.rmtree(own)
    assert refused == []


def test_the_table_of_attacks_counts_the_kinds(tmp_path: Path) -> None:
    said = (Path(__file__).parents[2] / "docs/security.md").read_text()
    assert f"[mutated files](benchmarks.md#fuzzing) of {len(kinds(tmp_path))} kinds" in said


def test_a_mutated_file_of_each_kind_is_read_or_refused_in_a_sentence(tmp_path: Path) -> None:
    wrong = [
        (kind.name, said, content[:2000])
        for kind in kinds(tmp_path)
        for content, said, _ in fuzzed(kind, examples(160), "suite", tmp_path)
        if said
    ]
    assert wrong == []


def main(count: int, seed: str) -> None:
    """Read ``count`` files in all, and say what was found of each kind; what is wrong is kept below ``fuzz-out/``."""
    with tempfile.TemporaryDirectory(dir="/dev/shm") as name:
        found = kinds(Path(name))
        for kind in found:
            began, tally = time.monotonic(), Counter[str]()
            for number, (content, said, taken) in enumerate(fuzzed(kind, -(-count // len(found)), seed, Path(name))):
                tally["wrong" if said else "read" if taken else "refused"] += 1
                if said:
                    out = Path("fuzz-out") / f"{seed}-{number}-{kind.name}"
                    out.parent.mkdir(exist_ok=True)
                    out.write_bytes(content)
                    sys.stdout.write(f"{out}\n{said}\n")
            sys.stdout.write(f"{kind.name}: {dict(tally)}, {time.monotonic() - began:.0f} s\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else "0")
