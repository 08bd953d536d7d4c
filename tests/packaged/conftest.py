"""What is measured on the appliance is told at the end of the run."""

from typing import Final

import pytest

from tests.machine.figures import Figures

_FIGURES: Final = Figures("the appliance")


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(_FIGURES)


@pytest.fixture(scope="session")
def figures() -> Figures:
    return _FIGURES
