"""Programs of Debian's packages that tests start. Without root they cannot be installed, and ``make test`` goes on without these tests."""

from __future__ import annotations

import shutil
from typing import Final

import pytest

PACKAGES: Final = {
    "Xvfb": "xvfb",
    "import": "imagemagick",
    "openscad": "openscad",
    "systemd-analyze": "systemd",
    "xdotool": "xdotool",
}
"""The package of each program."""


def require(*programs: str) -> None:
    """Skip the test, and name the packages to install, where a program is missing."""
    missing = [PACKAGES[each] for each in programs if shutil.which(each) is None]
    if missing:
        pytest.skip(f"needs {', '.join(missing)}: sudo apt-get install {' '.join(missing)}")
