"""What is measured on the card is told at the end of the run; a director's key, made for this run."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

from tests.machine.figures import Figures

_FIGURES: Final = Figures("the card")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    _FIGURES.tell(terminalreporter)


@pytest.fixture(scope="session")
def figures() -> Figures:
    return _FIGURES


@dataclass(frozen=True, slots=True)
class Key:
    """A director's key."""

    private: Path
    public: str


@pytest.fixture(scope="session")
def key(tmp_path_factory: pytest.TempPathFactory) -> Key:
    os.environ["QEMU_CPU"] = "cortex-a72"
    private = tmp_path_factory.mktemp("key") / "id"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "director", "-f", str(private)], check=True)
    return Key(private, private.with_suffix(".pub").read_text(encoding="utf-8").strip())
