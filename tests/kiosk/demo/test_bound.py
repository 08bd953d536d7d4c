"""A program that is bound to the one that started it: it ends with that one, killed or gone before it could be told."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from kiosk.demo.beside import bound
from tests.processes import PATIENCE_S, ended, until

PARENT = """
import signal, subprocess
from kiosk.demo.beside import bound
print(subprocess.Popen(["sleep", "600"], preexec_fn=bound()).pid, flush=True)
signal.pause()
"""

ANOTHER = """
import os, subprocess, sys
from kiosk.demo.beside import bound
bind = bound()
if os.fork() == 0:
    # As the kernel has it where the one that asked is dead: the parent is another.
    os._exit(subprocess.run(["touch", sys.argv[1]], preexec_fn=bind).returncode)
sys.exit(os.waitstatus_to_exitcode(os.wait()[1]))
"""


def test_a_program_ends_with_a_parent_that_is_killed() -> None:
    with subprocess.Popen([sys.executable, "-c", PARENT], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        child = Path("/proc", parent.stdout.readline().strip())
        # The kernel lets the parent go on before it has laid out the arguments.
        until(lambda: (child / "cmdline").read_bytes() == b"sleep\x00600\x00")
        parent.kill()
        parent.wait(PATIENCE_S)
        until(lambda: ended(child))


def test_a_program_whose_parent_is_gone_before_it_is_bound_never_begins(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-c", ANOTHER, str(tmp_path / "begun")], check=True, timeout=PATIENCE_S)
    assert not (tmp_path / "begun").exists()


def test_a_bound_program_whose_parent_is_there_does_its_work(tmp_path: Path) -> None:
    subprocess.run(["touch", str(tmp_path / "begun")], check=True, preexec_fn=bound())
    assert (tmp_path / "begun").exists()
