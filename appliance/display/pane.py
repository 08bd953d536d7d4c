"""An open window: drawing, sleeping, waking, snapshots, closing. The shared base of all windows.

A bare panel shows the program's name until the first picture, and its console behind it for when the program ends. Finger and mouse positions are converted from
the panel's pixels to the layout's.

It sleeps on what can wake it: the display's connection, the input devices, or a short interval. pygame's ``event.wait`` polls every millisecond under every driver
instead of using SDL's sleeping wait: a thousand wake-ups a second for a clock that changes once. Sleeping on the descriptor of SDL's connection to the X server
needs none. SDL hears of devices that are plugged in or removed by udev's netlink events. Those reach only the host's network namespace, and the services have
one of their own: here udev's database shows it.
"""

import ctypes
import os
import re
import struct
from abc import ABC, abstractmethod
from collections.abc import Collection, Hashable, Iterator, Sequence
from contextlib import suppress
from math import isfinite
from pathlib import Path
from typing import Final

import pygame

from appliance.display.frame_check import frame_arrived
from appliance.display.layout import Box, Rotation, Turn
from appliance.display.screen import lost
from appliance.display.sdl import is_bare
from appliance.display.window import DISPLAY, REMEDY, close_window, open_window, renderer
from appliance.errors import ScreenError
from appliance.log import get_logger
from appliance.process import blank
from appliance.program import Wakeup
from appliance.splash.paint import GROUND, INK, name_picture, paint

READY: Final = Path("/run/udev/data")
"""udev's database has a file for each device whose rules are done: then its permissions are set, and SDL finds it."""
_EVENT_MINORS: Final = frozenset({*range(64, 96), *range(256, 1024)})
"""The minor numbers of /dev/input/event* (Linux, drivers/input/input.c); the others have those from 256 on too where their own are used up.

A touch panel also has a mouse* file, with an entry of its own in the database, a moment earlier or later. SDL uses only event* files.
"""
_ENTRY: Final = re.compile(rb"c13:(\d+)")
"""The name of an input device's entry: a character device of major number 13."""
_HEADER: Final = struct.Struct("iIII")
"""struct inotify_event: watch, mask, cookie, and the length of the name that follows."""
_MOVED_HERE: Final = 0x80
_DELETED: Final = 0x200
"""IN_MOVED_TO and IN_DELETE of linux/inotify.h: udev renames a new file into the folder."""
_CHUNK: Final = 4096


class Hotplug:
    """An inotify watch on udev's database; raises ``OSError`` if there is none."""

    def __init__(self, folder: Path = READY) -> None:
        libc = ctypes.CDLL(None, use_errno=True)
        self.descriptor = libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        if self.descriptor < 0 or libc.inotify_add_watch(self.descriptor, os.fsencode(folder), _MOVED_HERE | _DELETED) < 0:
            error = ctypes.get_errno()
            self.close()
            raise OSError(error, os.strerror(error), str(folder))

    def changed(self) -> bool:
        """Discard the events so far; return whether one was of an /dev/input/event* device."""
        found = False
        with suppress(BlockingIOError):
            while events := os.read(self.descriptor, _CHUNK):
                found = any(map(_is_event_device, _names(events))) or found
        return found

    def close(self) -> None:
        if self.descriptor >= 0:
            os.close(self.descriptor)
            self.descriptor = -1


def _names(events: bytes) -> Iterator[bytes]:
    place = 0
    while place < len(events):
        length = _HEADER.unpack_from(events, place)[-1]
        place += _HEADER.size + length
        yield events[place - length : place].rstrip(b"\0")


def _is_event_device(entry: bytes) -> bool:
    found = _ENTRY.fullmatch(entry)
    return found is not None and int(found[1]) in _EVENT_MINORS


def hotplug() -> Hotplug | None:
    with suppress(OSError):
        return Hotplug()
    return None


LIBRARY = "libX11.so.6"


def connection() -> int | None:
    """Return the descriptor of the open display's connection; None if the driver is not X11 or libX11 is missing."""
    if pygame.display.get_driver() != "x11":
        return None
    try:
        library = ctypes.CDLL(LIBRARY)
    except OSError:
        return None
    number = library.XConnectionNumber
    number.argtypes, number.restype = [ctypes.c_void_p], ctypes.c_int
    return int(number(_pointer(pygame.display.get_wm_info()["display"])))


def _pointer(capsule: object) -> int:
    taken = ctypes.pythonapi.PyCapsule_GetPointer
    taken.argtypes, taken.restype = [ctypes.py_object, ctypes.c_char_p], ctypes.c_void_p
    return int(taken(capsule, b"display"))


POLL_MS: Final = 10
"""Poll interval where there is nothing to sleep on, in ms."""
FOLDER: Final = Path("/dev/input")


class Connection:
    """The descriptor of the open display; without one there is nothing to sleep on, so it polls."""

    def __init__(self, descriptor: int | None) -> None:
        self._watched = [] if descriptor is None else [descriptor]
        self.blocks = descriptor is not None

    def sleep(self, alarm: Wakeup, timeout_ms: int | None) -> bool:
        alarm.sleep(self._watched, timeout_ms if self.blocks else POLL_MS if timeout_ms is None else min(timeout_ms, POLL_MS))
        return False

    def close(self) -> None:
        """Do nothing: SDL closes it."""


class Devices:
    """The kernel's input devices, opened in addition to SDL, which under KMSDRM offers nothing to sleep on.

    Each open descriptor has its own event queue: events read and discarded here still reach SDL. ``hotplug`` is closed with the devices.
    """

    blocks = True

    def __init__(self, folder: Path, hotplug: Hotplug) -> None:
        self._folder = folder
        self._hotplug = hotplug
        self._opened: dict[Path, int] = {}
        self._had_event = False
        self._refresh()

    def sleep(self, alarm: Wakeup, timeout_ms: int | None) -> bool:
        """Sleep until there may be an event, ``alarm`` wakes it, or ``timeout_ms`` pass (None: no limit). May return early.

        Right after an event it sleeps only briefly, since SDL's queue may get it a moment later than ours. Return whether input devices were added or removed, which
        SDL must look for again.
        """
        if self._had_event:
            timeout_ms = POLL_MS if timeout_ms is None else min(timeout_ms, POLL_MS)
        self._had_event = alarm.sleep([self._hotplug.descriptor, *self._opened.values()], timeout_ms)
        if not self._had_event:
            return False
        for path in [path for path, descriptor in self._opened.items() if not _emptied(descriptor)]:
            # It would stay readable for ever.
            os.close(self._opened.pop(path))
        changed = self._hotplug.changed()
        if changed:
            self._refresh()
        return changed

    def close(self) -> None:
        self._hotplug.close()
        while self._opened:
            os.close(self._opened.popitem()[1])

    def _refresh(self) -> None:
        for path in self._folder.glob("event*"):
            if path not in self._opened:
                try:
                    self._opened[path] = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
                except OSError:
                    continue  # not ours to read, or unplugged meanwhile


def _emptied(descriptor: int) -> bool:
    """Read and discard a device's events; return whether it is still there."""
    try:
        while os.read(descriptor, _CHUNK):
            pass
    except BlockingIOError:
        return True
    except OSError:
        pass  # unplugged (ENODEV)
    return False


def sources(hotplug: Hotplug | None) -> Connection | Devices:
    if hotplug is not None and is_bare(pygame.display.get_driver()):
        return Devices(FOLDER, hotplug)
    if hotplug is not None:
        hotplug.close()
    return Connection(connection())


_FINGERS: Final = (pygame.FINGERDOWN, pygame.FINGERUP, pygame.FINGERMOTION)
_MOUSE: Final = (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP, pygame.MOUSEMOTION)
_NOWHERE: Final = -1.0


def upright(event: pygame.event.Event, turn: Turn) -> pygame.event.Event:
    """Return ``event`` as on an upright panel: fingers and mouse in layout coordinates, other events unchanged.

    A finger reported off the panel, or without a position, gets a position outside the layout: it presses nothing, and its release still counts.
    """
    if event.type in _FINGERS:
        x, y = _share(event.x, event.y, turn)
        return pygame.event.Event(event.type, {**event.dict, "x": x, "y": y})
    if event.type in _MOUSE and turn.degrees:
        return pygame.event.Event(event.type, {**event.dict, "pos": turn.seen(*event.pos)})
    return event


POINTED: Final = (pygame.MOUSEBUTTONDOWN, pygame.FINGERDOWN)
LIFTED: Final = (pygame.MOUSEBUTTONUP, pygame.FINGERUP)


def pointer(event: pygame.event.Event, shown: tuple[int, int], buttons: Collection[int]) -> tuple[Hashable, tuple[int, int]] | None:
    """Return what points, and its position in pixels, in an event of ``POINTED`` or ``LIFTED``; None: it presses nothing. ``shown``: the window's size."""
    if event.type in _FINGERS:
        return ("finger", event.touch_id, event.finger_id), (int(event.x * shown[0]), int(event.y * shown[1]))
    # A touch also comes as a mouse event, and a wheel comes as buttons 4 and 5: both are ignored.
    if event.touch or event.button not in buttons:
        return None
    return ("mouse", event.button), event.pos


def _share(x: float, y: float, turn: Turn) -> tuple[float, float]:
    """Return the finger's position as shares of the layout's size, at the centre of its pixel. The device's largest value means the last pixel."""
    if not (isfinite(x) and isfinite(y) and 0 <= x <= 1 and 0 <= y <= 1):
        return _NOWHERE, _NOWHERE
    width, height = turn.panel
    column, row = turn.seen(min(width - 1, int(x * width)), min(height - 1, int(y * height)))
    return (column + 0.5) / turn.size[0], (row + 0.5) / turn.size[1]


_LEVELS: Final = [[ground + (ink - ground) * level // 255 for ground, ink in zip(GROUND, INK, strict=True)] for level in range(256)]


def show_name(surface: pygame.Surface, program: str, rotate: Rotation) -> None:
    """Show the name of ``program`` on ``surface``, turned: pygame opens a panel black, and the first picture may take a while."""
    width, height = surface.get_size()
    rows = name_picture(program, height if rotate in (90, 270) else width)
    name = pygame.image.frombuffer(b"".join(rows), (len(rows[0]), len(rows)), "P")
    name.set_palette(_LEVELS)
    # pygame rotates anticlockwise.
    turned = pygame.transform.rotate(name, -rotate)
    surface.fill(GROUND)
    surface.blit(turned, ((width - turned.get_width()) // 2, (height - turned.get_height()) // 2))
    pygame.display.flip()
    blank()


def paint_console(program: str, rotate: Rotation) -> None:
    """Paint the name into the console's frame buffer, turned as the settings say, which are known by now. Do nothing if that fails."""
    with suppress(OSError):
        paint(program, rotate)


SMALLEST: Final = (320, 240)
"""The smallest layout, width and height in pixels: a smaller window shows its upper left part."""
_SIZED: Final = (pygame.VIDEORESIZE, pygame.WINDOWSIZECHANGED)
SERVED: Final = (*_SIZED, pygame.WINDOWEXPOSED)


class Pane(ABC):
    """One window on one display; subclasses draw and handle events. One per process. Any thread may call ``wake``, one thread everything else."""

    def __init__(self, size: tuple[int, int], title: str, *, fullscreen: bool, rotate: Rotation = 0, remedy: str = REMEDY) -> None:
        """Open the window with ``open_window``; pictures are turned clockwise by ``rotate`` degrees. Raises ``ScreenError``."""
        # Before SDL looks for input devices: one that comes meanwhile must not be missed.
        plugged = hotplug()
        try:
            self._surface = open_window(size, title, fullscreen=fullscreen, remedy=remedy)
        except ScreenError:
            if plugged is not None:
                plugged.close()
            raise
        self._program = title.lower()
        self._settled = not is_bare(pygame.display.get_driver())
        self._show_name(rotate)
        self._turn = Turn(rotate, self._surface.get_size())
        self._sheet = self._new_sheet()
        self._source = sources(plugged)
        self._alarm = Wakeup()
        self.drawn = 0
        self._open = True

    @property
    def size(self) -> tuple[int, int]:
        return self._turn.size

    @property
    def blocks(self) -> bool:
        """Whether ``wait`` sleeps without polling: on X11's connection, or on a bare panel's input devices."""
        return self._source.blocks

    def wait(self, timeout_ms: int | None) -> None:
        """Sleep until an event, ``wake`` or ``timeout_ms`` (None: no limit). May return early. Raises ``ScreenError``."""
        if not self._open:
            return
        with lost(DISPLAY, pygame.error):
            if self.drawn and not self._settled:
                self._settle()
            # Events read while drawing are already in SDL's queue, so the connection does not signal them.
            if not self._gather() and self._source.sleep(self._alarm, timeout_ms):
                self._reopen()

    def wake(self) -> None:
        self._alarm.wake()

    def snapshot(self, path: Path) -> None:
        """Save the picture on the screen (PNG by its name); raises ``OSError``."""
        try:
            pygame.image.save(self._surface, path)
        except pygame.error as error:
            raise OSError(str(error)) from error

    def close(self) -> None:
        if self._open:
            self._open = False
            self._alarm.close()
            self._source.close()
            close_window()

    @abstractmethod
    def _gather(self) -> bool:
        """Read SDL's events and pass each to ``_handle``; return whether there is something to poll."""

    @abstractmethod
    def _on_event(self, event: pygame.event.Event) -> None:
        """Handle an event that is not in ``SERVED``."""

    @abstractmethod
    def _resized(self) -> None:
        """Lay out and draw again: the sheet is new, empty and of another size."""

    def _handle(self, event: pygame.event.Event) -> None:
        if event.type in _SIZED:
            self._resize()
        elif event.type == pygame.WINDOWEXPOSED:
            pygame.display.flip()
        else:
            self._on_event(upright(event, self._turn))

    def _reopen(self) -> None:
        """Reopen the bare panel, by which SDL finds added devices, lets go of removed ones, and releases their keys and fingers."""
        self._handle(pygame.event.Event(pygame.WINDOWFOCUSLOST))
        pygame.display.quit()
        self._surface = open_window(self._turn.panel, self._program, fullscreen=False)
        self._show_name(self._turn.degrees)
        self._turn = Turn(self._turn.degrees, self._surface.get_size())
        self._sheet = self._new_sheet()
        self._resized()

    def _show_name(self, rotate: Rotation) -> None:
        """Show the program's name on a bare panel: SDL's own first picture is black."""
        if is_bare(pygame.display.get_driver()):
            show_name(self._surface, self._program, rotate)

    def _show(self, boxes: Sequence[Box]) -> bool:
        """Update these parts of the display from the sheet; return whether there are any."""
        if not boxes:
            return False
        if self._sheet is self._surface:
            pygame.display.update([(box.x, box.y, box.width, box.height) for box in boxes])
        else:
            pygame.display.update([self._copied(box) for box in boxes])
        self.drawn += 1
        return True

    def _settle(self) -> None:
        """Do what can wait until a bare panel's first picture: paint the name on the console for when the program ends, and log the panel."""
        self._settled = True
        paint_console(self._program, self._turn.degrees)
        arrived = frame_arrived(self._surface)
        width, height = self._turn.panel
        panel = {"driver": pygame.display.get_driver(), "renderer": renderer(), "size": f"{width}x{height}", "rotate": self._turn.degrees}
        if arrived is False:
            get_logger().error("the panel stays black: no frame arrives", **panel)
        else:
            get_logger().info("the panel is open", frame="arrived" if arrived else "unknown", **panel)

    def _copied(self, box: Box) -> pygame.Rect:
        shown = pygame.Rect(box.x, box.y, box.width, box.height).clip(pygame.Rect((0, 0), self.size))
        lies = self._turn.placed(Box(shown.x, shown.y, shown.width, shown.height))
        # pygame rotates anticlockwise; right angles only move pixels.
        return self._surface.blit(pygame.transform.rotate(self._sheet.subsurface(shown), -self._turn.degrees), (lies.x, lies.y))

    def _resize(self) -> None:
        surface = pygame.display.get_surface()
        if surface is not None and surface.get_size() != self._turn.panel:
            self._surface, self._turn = surface, Turn(self._turn.degrees, surface.get_size())
            self._sheet = self._new_sheet()
            self._resized()

    def _new_sheet(self) -> pygame.Surface:
        width, height = self.size
        if self._turn.degrees == 0 and width >= SMALLEST[0] and height >= SMALLEST[1]:
            return self._surface
        return pygame.Surface((max(width, SMALLEST[0]), max(height, SMALLEST[1])), depth=self._surface.get_bitsize())
