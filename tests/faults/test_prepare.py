"""Threads that meet a type for the first time at the same moment: the program goes on, by the types of the product that threads do meet so."""

import subprocess
import sys
from typing import Final

import pytest

TOGETHER: Final = """
import sys, threading
sys.setswitchinterval(1e-6)
{imports}
together = threading.Barrier(6)
def meet():
    together.wait()
    assert {meets}
threads = [threading.Thread(target=meet) for _ in range(6)]
for each in threads: each.start()
for each in threads: each.join()
"""


@pytest.mark.parametrize(
    ("imports", "meets"),
    [
        ("from rules.rulebooks import load_rulebook", 'load_rulebook("nzasp-2022").id == "nzasp-2022"'),
        ("from hall.store.events import KeptRow; from msgspec.json import decode", 'decode(b\'{"who":"Ann"}\', type=KeptRow).who == "Ann"'),
    ],
    ids=["a rulebook by read_table", "a row by its module"],
)
def test_threads_that_first_meet_a_type_at_the_same_moment_go_on(imports: str, meets: str) -> None:
    # Without ``prepare`` four of five such programs end with a segmentation fault.
    program = TOGETHER.format(imports=imports, meets=meets)
    assert [subprocess.run([sys.executable, "-c", program], check=False).returncode for _ in range(2)] == [0, 0]
