"""What is measured in machines and containers, told at the end of the run, by whichever of its processes it was measured in."""

from collections.abc import Callable

import pytest


def told(of: str) -> tuple[Callable[[pytest.Config], None], object]:
    """Return a conftest's ``pytest_configure``, which registers figures as a plugin, and its fixture ``figures``."""
    found = Figures(of)

    def pytest_configure(config: pytest.Config) -> None:
        config.pluginmanager.register(found)

    @pytest.fixture(scope="session")
    def figures() -> Figures:
        return found

    return pytest_configure, figures


class Figures:
    def __init__(self, of: str) -> None:
        self._of = of
        self._lines: list[str] = []

    def add(self, said: str) -> None:
        self._lines.append(said)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        terminalreporter.section(f"figures of {self._of}")
        for line in self._lines:
            terminalreporter.line(line)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Send to the process that tells them what was measured in one of several at once."""
        if hasattr(session.config, "workeroutput"):
            session.config.workeroutput[self._of] = self._lines

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: object) -> None:
        """Take in what such a process sent; one that crashed has sent nothing."""
        self._lines += getattr(node, "workeroutput", {}).get(self._of, [])
