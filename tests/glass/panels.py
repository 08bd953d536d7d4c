"""Panels that can be plugged into the emulated machine, and what players touch and type on."""

from typing import Final

from msgspec import Struct
from msgspec.structs import replace

HEAD: Final = "panel"
TOUCH: Final = "touch"
KEYBOARD: Final = "keyboard"
"""Names that QEMU knows the devices by."""


class Panel(Struct, frozen=True):
    """A panel that the kernel drives by DRM. None of them has a console of the PC's firmware: neither has a Pi's."""

    name: str
    device: str
    size: tuple[int, int]
    """Width and height in pixels, as the panel itself counts."""
    rotate: int = 0
    """By how many degrees clockwise the program turns its picture, for the panel is mounted so: the settings' ``screen.rotate``."""

    @property
    def seen(self) -> tuple[int, int]:
        width, height = self.size
        return (height, width) if self.rotate % 180 else (width, height)

    def pixel(self, x: int, y: int) -> tuple[int, int]:
        width, height = self.size
        return {0: (x, y), 90: (width - 1 - y, x), 180: (width - 1 - x, height - 1 - y), 270: (y, height - 1 - x)}[self.rotate]

    @property
    def arguments(self) -> tuple[str, ...]:
        return ("-device", self.device)


LANDSCAPE: Final = Panel("landscape", f"virtio-gpu-pci,id={HEAD},xres=1024,yres=600", (1024, 600))
PORTRAIT: Final = Panel("portrait", f"bochs-display,id={HEAD},xres=600,yres=1024,edid=on", (600, 1024))
UPSIDE_DOWN: Final = replace(LANDSCAPE, name="upside-down", rotate=180)

DEVICES: Final = {TOUCH: "virtio-multitouch-pci", KEYBOARD: "virtio-keyboard-pci"}
MACHINE: Final = ("-machine", "pc,i8042=off")
"""Without a PC's own keyboard: what is typed comes from what is plugged in."""
