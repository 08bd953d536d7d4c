"""What is measured on the appliance is told at the end of the run, by whichever of its processes it was measured in."""

from typing import Final

import pytest

from tests.machine.figures import Figures

_FIGURES: Final = Figures("the appliance")
_SENT: Final = "figures"


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    _FIGURES.tell(terminalreporter)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Send to the process that tells them what was measured in one of several at once."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput[_SENT] = _FIGURES.lines


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: object) -> None:
    """Take in what such a process sent; one that crashed has sent nothing."""
    for line in getattr(node, "workeroutput", {}).get(_SENT, []):
        _FIGURES.add(line)


@pytest.fixture(scope="session")
def figures() -> Figures:
    return _FIGURES
