"""What holds for every test."""

import os

import pytest
from hypothesis import settings

# How long an example takes says how busy the machine is, not whether the code is right; each test's own limit ends one that hangs.
settings.register_profile("tileclock", deadline=None)
settings.load_profile("tileclock")

# Debian's own: tests look at the rights of files that programs make, whatever the umask of the user.
os.umask(0o022)


def pytest_runtest_setup(item: pytest.Item) -> None:
    if item.get_closest_marker("needs_root") and os.geteuid() != 0:
        pytest.skip("needs root: sudo make test-root")
