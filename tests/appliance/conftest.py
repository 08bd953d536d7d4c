"""What is measured on the appliance is told at the end of the run."""

from __future__ import annotations

from typing import Final

import pytest


class Figures:
    """What is measured, told at the end."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def add(self, said: str) -> None:
        """Keep one line for the end."""
        self.lines.append(said)


_FIGURES: Final = Figures()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    terminalreporter.section("figures of the appliance")
    for line in _FIGURES.lines:
        terminalreporter.line(line)


@pytest.fixture(scope="session")
def figures() -> Figures:
    return _FIGURES
