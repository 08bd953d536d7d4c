"""What is measured in machines and containers, told at the end of the run."""

import pytest


class Figures:
    """What is measured, told at the end.

    Args:
        of: what it was measured of.
    """

    def __init__(self, of: str) -> None:
        self._of = of
        self._lines: list[str] = []

    def add(self, said: str) -> None:
        self._lines.append(said)

    @property
    def lines(self) -> list[str]:
        """All that was kept, in its order."""
        return list(self._lines)

    def tell(self, reporter: pytest.TerminalReporter) -> None:
        reporter.section(f"figures of {self._of}")
        for line in self._lines:
            reporter.line(line)
