"""Programs of Debian's packages that tests start. Without root they cannot be installed, and ``make test`` goes on without these tests."""

import os
import shutil
from typing import Final

import pytest

PACKAGES: Final = {
    "Xvfb": "xvfb",
    "certutil": "libnss3-tools",
    "chromium-headless-shell": "chromium-headless-shell",
    "faketime": "faketime",
    "mosquitto": "mosquitto",
    "nft": "nftables",
    "openscad": "openscad",
    "parec": "pulseaudio-utils",
    "pulseaudio": "pulseaudio",
    "ssh-keygen": "openssh-client",
    "systemd-analyze": "systemd",
    "xdotool": "xdotool",
}


def require(*programs: str) -> None:
    """Skip the test, and name the packages to install, where a program is missing."""
    # Debian's mosquitto is in a folder that only root's PATH has.
    path = f"{os.environ.get('PATH', os.defpath)}:/usr/sbin"
    missing = [PACKAGES[each] for each in programs if shutil.which(each, path=path) is None]
    if missing:
        pytest.skip(f"needs {', '.join(missing)}: sudo apt-get install {' '.join(missing)}")
