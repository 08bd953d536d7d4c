"""SDL's settings and driver names, and why a bare panel is unavailable: all without pygame, so that a self-test need not load it.

SDL says "kmsdrm not available" for nearly every cause. The checks here run in the order in which SDL would fail, and name the package or step that repairs it.
"""

import ctypes
import errno
import fcntl
import os
import struct
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from appliance.errors import Diagnosis
from faults.errors import reason

SETTINGS: Final = {
    "SDL_VIDEO_ALLOW_SCREENSAVER": "0",
    "SDL_NO_SIGNAL_HANDLERS": "1",
    "SDL_ALLOW_ALT_TAB_WHILE_GRABBED": "0",
    "SDL_VIDEO_MINIMIZE_ON_FOCUS_LOSS": "0",
}
"""SDL reads these when it opens the display. The shell handles signals. An appliance has nothing behind its screen: by default SDL minimises a full screen on
Alt+Tab and invalidates the surface in use.
"""
ACCELERATION: Final = "SDL_FRAMEBUFFER_ACCELERATION"
"""SDL reads it for a window's first picture, when the driver is known."""
BARE: Final = "kmsdrm"
"""SDL's driver of a bare panel, in lower case: SDL writes it in capitals."""
INVISIBLE: Final = frozenset({"offscreen", "dummy"})
"""SDL's drivers that draw into memory. Without a display SDL silently chooses the first."""


def is_bare(driver: str) -> bool:
    return driver.lower().startswith(BARE)


def acceleration(driver: str) -> str:
    """Return the value of ``ACCELERATION`` for ``driver``.

    X11 has a plain framebuffer; a renderer costs four times as much on a small machine. KMSDRM has none and needs a named renderer: SDL's own first choice is desktop
    OpenGL on an OpenGL ES context, whose frames flip while the panel stays black.
    """
    return "opengles2" if is_bare(driver) else "0"


DEVICES: Final = Path("/dev/dri")
SYSTEM: Final = Path("/sys/class/drm")
LIBRARIES: Final = {"libgbm.so.1": "libgbm1", "libEGL.so.1": "libegl1", "libGLESv2.so.2": "libgles2"}
"""The libraries SDL loads to open a panel, and their Debian packages."""
AWAITED_S: Final = 8.0
AGAIN_S: Final = 0.05
_AUTH_MAGIC: Final = 1 << 30 | 4 << 16 | ord("d") << 8 | 0x11


def why_not(drivers: Sequence[str], message: str, devices: Path = DEVICES, system: Path = SYSTEM) -> Diagnosis:
    """Return why there is no bare panel (to follow "found") and what to do, by SDL's drivers (empty if unknown) and its error message."""
    if drivers and BARE not in map(str.lower, drivers):
        return Diagnosis(
            "this pygame's SDL has no driver for a bare panel (kmsdrm), as PyPI's wheels have none",
            "Start it in a desktop session, or install the Debian packages, which use Debian's own pygame",
        )
    cards = graphics_cards(devices)
    if not cards:
        return Diagnosis(
            f"no graphics card in {devices}",
            "Have the kernel's driver loaded: on a Raspberry Pi dtoverlay=vc4-kms-v3d in config.txt, "
            'or on a text console [screen] kind = "terminal"',
        )
    faults = [_card(each, system) for each in cards]
    if all(faults):
        return next(filter(None, faults))
    missing = [package for library, package in LIBRARIES.items() if not _loads(library)]
    if missing:
        return Diagnosis(
            f"{' and '.join(sorted(missing))} not installed, by which SDL draws on a bare panel",
            f"Install it: sudo apt install {' '.join(sorted(missing))}",
        )
    return Diagnosis(
        f"{message}: the card's driver offers no OpenGL ES by EGL",
        "Install it: sudo apt install libgl1-mesa-dri; look at the kernel's messages (dmesg) for the card",
    )


def graphics_cards(devices: Path = DEVICES) -> list[Path]:
    return sorted(devices.glob("card[0-9]*"))


def await_card(devices: Path = DEVICES, system: Path = SYSTEM) -> None:
    """Wait for a card that can be drawn on, ``AWAITED_S`` at most: at boot the kernel loads its driver while the program starts."""
    limit = time.monotonic() + AWAITED_S
    while all(_card(each, system) for each in graphics_cards(devices)) and time.monotonic() < limit:
        time.sleep(AGAIN_S)


def _card(card: Path, system: Path) -> Diagnosis | None:
    try:
        descriptor = os.open(card, os.O_RDWR | os.O_CLOEXEC)
    except PermissionError:
        return Diagnosis(f"no permission to open {card}", "Start as a user in the groups video, render and input")
    except OSError as error:
        return Diagnosis(f"that {card} cannot be opened ({reason(error)})", "Look at the kernel's messages (dmesg) for the card")
    try:
        if not any(status == "connected" for status in _connectors(card, system)):
            return Diagnosis(f"no panel connected to {card}", "Plug its cable in and switch it on")
        # The kernel denies AUTH_MAGIC (EACCES) unless we are the card's master; the invalid magic 0 only gives EINVAL.
        fcntl.ioctl(descriptor, _AUTH_MAGIC, struct.pack("=I", 0))
    except OSError as error:
        if error.errno == errno.EACCES:
            remedy = f"Stop it: `sudo fuser -v {card}` names it (the service: sudo systemctl stop tileclock tilekiosk)"
            return Diagnosis(f"another program drawing on {card}", remedy)
    finally:
        os.close(descriptor)
    return None


def _connectors(card: Path, system: Path) -> Iterator[str]:
    for connector in system.glob(f"{card.name}-*/status"):
        with suppress(OSError):
            yield connector.read_text(encoding="ascii").strip()


def _loads(library: str) -> bool:
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True
