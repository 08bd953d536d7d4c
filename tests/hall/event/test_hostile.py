"""Files that were made to stop a desk: each is read or refused in time and memory that grow no faster than it does."""

import io
import struct
import subprocess
import sys
import zipfile
import zlib
from pathlib import Path

import pytest

from hall.event.problems import UnreadableEvent
from hall.event.reading import read_event

MB = 1_000_000
DECLARED = 1000
PEAK = """
import sys
from pathlib import Path
from hall.event.problems import UnreadableEvent
from hall.event.reading import read_event
content = Path(sys.argv[1]).read_bytes()
peak = lambda: int(Path("/proc/self/status").read_text().partition("VmHWM:")[2].split()[0])
before = peak()
try:
    read_event({"lie.zip": content})
except UnreadableEvent as error:
    print(peak() - before, error)
"""


def lying_zip(megabytes: int) -> bytes:
    """Return a zip whose directory says ``DECLARED`` bytes, with their right sum, for a member of so many megabytes."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    # The same block again and again: a gigabyte is packed at once.
    block = packer.compress(b"a" * MB) + packer.flush(zlib.Z_FULL_FLUSH)
    packed = block * megabytes + packer.flush()
    with zipfile.ZipFile(content := io.BytesIO(), "w") as archive:
        archive.writestr("players.csv", packed)
    lie = bytearray(content.getvalue())
    for at in (8, lie.index(b"PK\x01\x02") + 10):
        struct.pack_into("<H", lie, at, zipfile.ZIP_DEFLATED)
        struct.pack_into("<L", lie, at + 6, zlib.crc32(b"a" * DECLARED))
        struct.pack_into("<L", lie, at + 14, DECLARED)
    return bytes(lie)


def test_a_zip_that_lies_about_a_gigabyte_takes_no_more_memory_than_it_declares(tmp_path: Path) -> None:
    lie = tmp_path / "lie.zip"
    lie.write_bytes(lying_zip(1000))
    done = subprocess.run([sys.executable, "-c", PEAK, lie], capture_output=True, text=True, check=True)
    kilobytes, _, said = done.stdout.partition(" ")
    assert said.startswith("lie.zip/players.csv, line 1: ")
    assert int(kilobytes) < 10_000


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_zip_whose_method_unpacks_without_a_bound_is_refused(method: int) -> None:
    with zipfile.ZipFile(content := io.BytesIO(), "w", method) as archive:
        archive.writestr("players.csv", "name\nAnn\n")
    with pytest.raises(
        UnreadableEvent, match=r"event.zip: expected a whole zip, packed by deflate and .* found a damaged or another one\. Unpack it"
    ):
        read_event({"event.zip": content.getvalue()})
