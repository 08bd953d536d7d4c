"""Paints the program's name into the kernel's console frame buffer, which the panel shows whenever no program draws on it.

Run early at each boot, by path and without the project's packages (``python3 -I -S paint.py tileclock SETTINGS...``): it uses only Python's built-in modules
and so takes a tenth of a second on a small machine. A program that opens the panel paints it again, turned as its settings say, for the time after a crash.

It leaves a frame buffer without DRM driver alone: there the programs draw on the text console.
"""

# pathlib takes longer to load than everything else here.
# ruff: noqa: PTH100, PTH112, PTH120, PTH123, PTH208
import fcntl
import os
import struct
import sys

FRAME_BUFFER = "/dev/fb0"
SYSTEM = "/sys/class/graphics/fb0"
GROUND, INK = (13, 16, 20), (120, 130, 142)
"""Red, green and blue, 0 to 255."""
_FBIOGET_VSCREENINFO, _KDSETMODE, _KD_GRAPHICS = 0x4600, 0x4B3A, 1
_FORMAT = struct.Struct("=8I9I92x")
"""fb_var_screeninfo: sizes and depth, then offset, length and bit order of each colour (include/uapi/linux/fb.h)."""


def paint(program: str, degrees: int = 0, device: str = FRAME_BUFFER, system: str = SYSTEM) -> None:
    """Paint the name of ``program``, turned clockwise by ``degrees``, where there is a frame buffer. Raises ``OSError`` if it cannot be written."""
    if not os.path.isdir(f"{system}/device/drm"):
        return
    with open(f"{system}/stride", encoding="ascii") as file:
        stride = int(file.read())
    descriptor = os.open(device, os.O_RDWR | os.O_CLOEXEC)
    try:
        raw = fcntl.ioctl(descriptor, _FBIOGET_VSCREENINFO, bytes(_FORMAT.size))
        width, height, _, _, _, _, bits, _, *colours = _FORMAT.unpack(raw)
        left = frame(name_picture(program, height if degrees % 180 else width), (width, height, stride), Pixels(bits, colours), degrees)
        while left:
            left = left[os.write(descriptor, left) :]
    finally:
        os.close(descriptor)


class Pixels:
    """The frame buffer's pixel format: bits per pixel; offset, length and bit order of red, green and blue."""

    def __init__(self, bits: int, colours: list[int]) -> None:
        self._bytes, self._places = bits // 8, (colours[0:2], colours[3:5], colours[6:8])

    def of(self, level: int) -> bytes:
        value = 0
        for ground, ink, (offset, length) in zip(GROUND, INK, self._places, strict=True):
            value |= (ground + (ink - ground) * level // 255) >> (8 - length) << offset
        return value.to_bytes(self._bytes, "little")


def name_picture(program: str, width: int) -> list[bytes]:
    """Return the largest picture of the name that is at most half of ``width`` pixels wide, or else the smallest: rows of one byte per pixel."""
    folder = os.path.dirname(os.path.abspath(__file__))
    sizes = sorted(int(name[len(program) + 1 : -4]) for name in os.listdir(folder) if name.startswith(f"{program}-"))
    size = max((each for each in sizes if each <= width // 2), default=sizes[0])
    with open(f"{folder}/{program}-{size}.pgm", "rb") as file:
        _, measures, _, pixels = file.read().split(b"\n", 3)
    columns = int(measures.split()[0])
    return [pixels[start : start + columns] for start in range(0, len(pixels), columns)]


def frame(picture: list[bytes], panel: tuple[int, int, int], pixels: Pixels, degrees: int) -> bytes:
    """Return the whole frame buffer with ``picture`` in its middle, turned clockwise by ``degrees``.

    ``picture``: rows of levels. ``panel``: width, height and bytes per row.
    """
    for _ in range(degrees // 90):
        picture = [bytes(column) for column in zip(*reversed(picture), strict=True)]
    width, height, stride = panel
    table = [pixels.of(level) for level in range(256)]
    ground = table[0] * width
    left, top = (width - len(picture[0])) // 2, (height - len(picture)) // 2
    lines = [ground] * height
    # A panel smaller than the smallest picture gets none.
    if left >= 0 and top >= 0:
        for row, levels in enumerate(picture, top):
            name = b"".join([table[level] for level in levels])
            lines[row] = table[0] * left + name + table[0] * (width - left - len(levels))
    return b"".join([line.ljust(stride, b"\0") for line in lines])


_MOST = 64 * 1024
"""As ``faults.small_file.MOST``, which takes time to load."""


def screen_settings(paths: list[str]) -> dict[str, object]:
    """Return the [screen] settings of all readable files, later files overriding earlier ones. The program itself reports faulty files."""
    found: dict[str, object] = {}
    for path in paths:
        try:
            # A pipe in its place would block the boot.
            raw = b""
            if os.path.isfile(path):  # noqa: PTH113 - without pathlib, which takes time to load
                with open(path, "rb") as file:
                    raw = file.read(_MOST)
            if b"screen" in raw:
                import tomllib  # noqa: PLC0415 - slow to load, and seldom needed

                found.update(tomllib.loads(raw.decode()).get("screen", {}))
        except (OSError, ValueError, TypeError, AttributeError, RecursionError):
            continue
    return found


def main(arguments: list[str]) -> None:
    """Paint the name of the program ``arguments[0]``; the rest are settings files, later ones overriding earlier ones."""
    screen = screen_settings(arguments[1:])
    rotate = screen.get("rotate")
    if screen.get("kind", "window") != "window" or not os.path.isdir(f"{SYSTEM}/device/drm"):
        return
    try:  # noqa: SIM105 - contextlib takes time to load
        # Hide the console's text, so that no later line appears over the name.
        fcntl.ioctl(0, _KDSETMODE, _KD_GRAPHICS)
    except OSError:
        pass  # started by hand, from no console
    paint(arguments[0], rotate if isinstance(rotate, int) and rotate in (90, 180, 270) else 0)


if __name__ == "__main__":
    main(sys.argv[1:])
