"""What is measured on the appliance is told at the end of the run."""

from __future__ import annotations

from typing import Final

import pytest

from tests.machine.figures import Figures

_FIGURES: Final = Figures("the appliance")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    _FIGURES.tell(terminalreporter)


@pytest.fixture(scope="session")
def figures() -> Figures:
    return _FIGURES
