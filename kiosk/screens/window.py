"""The station's window or full-screen panel: pages in, inputs out.

Every SDL event is interpreted by the page on the screen at that moment: ``poll`` returns one input at a time, so that the shell can draw the result
before the next. Touches from before a new page press nothing, because they were meant for the old one; nor do keys from before the words to be checked
appear. In a page's first half second after drawing, only typing counts (``pressing``).
"""

from collections import deque
from collections.abc import Iterable
from types import MappingProxyType
from typing import Final

import pygame

from appliance.clocks import Clocks
from appliance.display.layout import Rotation
from appliance.display.pane import LIFTED, POINTED, Pane, pointer
from appliance.display.screen import lost
from appliance.display.window import DISPLAY
from kiosk.events import CloseAsked, Event
from kiosk.face.page import Page
from kiosk.layout.arrange import arrange
from kiosk.layout.placed import Arranged, Options
from kiosk.screens import pressing
from kiosk.screens.painter import Painter

NAMED: Final[dict[int, str]] = {
    **{code: f"f{number}" for number, code in enumerate(range(pygame.K_F1, pygame.K_F12 + 1), 1)},
    pygame.K_TAB: "tab",
    pygame.K_RETURN: "return",
    pygame.K_KP_ENTER: "return",
    pygame.K_BACKSPACE: "backspace",
    pygame.K_DELETE: "delete",
    pygame.K_ESCAPE: "escape",
    pygame.K_UP: "up",
    pygame.K_DOWN: "down",
    pygame.K_LEFT: "left",
    pygame.K_RIGHT: "right",
}
"""By key code: ``pygame.key.name`` depends on the display."""
POINTERS: Final = (*POINTED, *LIFTED)
KEYS: Final = (pygame.KEYDOWN, pygame.KEYUP, pygame.TEXTINPUT)
USED: Final = (*POINTERS, *KEYS, pygame.WINDOWFOCUSLOST)
"""The events that make presses; all others are ignored."""
_SHIFTING: Final = frozenset(
    {
        *(pygame.K_LSHIFT, pygame.K_RSHIFT, pygame.K_LCTRL, pygame.K_RCTRL, pygame.K_LALT, pygame.K_RALT),
        *(pygame.K_LGUI, pygame.K_RGUI, pygame.K_MODE, pygame.K_CAPSLOCK, pygame.K_NUMLOCK),
    }
)
"""Modifier keys: they type nothing, and another key keeps repeating when one of them goes down."""
_COMMAND: Final = pygame.KMOD_CTRL | pygame.KMOD_LALT | pygame.KMOD_META
_ALTGR: Final = pygame.KMOD_RALT | pygame.KMOD_MODE


MAX: Final = 256
"""The most events processed at once, so that a flood does not prevent drawing."""
_USED: Final = frozenset({*USED, pygame.QUIT})
_NEEDLESS: Final = (
    *(pygame.MOUSEMOTION, pygame.FINGERMOTION, pygame.MULTIGESTURE, pygame.MOUSEWHEEL),
    *(pygame.TEXTEDITING, pygame.DROPFILE, pygame.DROPTEXT),
)
"""Events that come by the hundred, drops on the window, and text composition."""
_CLOCKS: Final = Clocks()


class KioskWindow(Pane):
    """A process can have only one."""

    def __init__(  # noqa: PLR0913 - one parameter for each property of a window
        self,
        size: tuple[int, int],
        title: str,
        *,
        fullscreen: bool = False,
        rotate: Rotation = 0,
        options: Options | None = None,
        locked: bool = False,
        clocks: Clocks = _CLOCKS,
    ) -> None:
        """Open the window, of ``size`` pixels, or of the panel's if ``fullscreen``, without frame and mouse pointer. Raises ScreenError: there is no display.

        ``rotate`` turns the picture clockwise, in degrees. ``locked``: full screen without a way out, ignore everything that would close or leave the
        window, and grab the keyboard.
        """
        super().__init__(size, title, fullscreen=fullscreen or locked, rotate=rotate)
        self._options, self._locked, self._clocks = options or Options(), locked, clocks
        self._raw: deque[tuple[pygame.event.Event, int]] = deque()
        self._seen = pressing.UnreadGuard(clocks.now())
        self._touching, self._typing = pressing.Touching(), pressing.Typing()
        self._page: Page | None = None
        self.arranged: Arranged | None = None
        """The present arrangement; None before the first page."""
        self._painter = Painter()
        self._keyboard_used = False
        """Labels such as F1 would puzzle players who have only the screen."""
        # Block by name: to block all and allow these, SDL goes through 65,000 kinds, a twentieth of the whole start.
        pygame.event.set_blocked(_NEEDLESS)
        pygame.key.start_text_input()
        # Debian bookworm's pygame 2.1.2 lacks this call; on an appliance's bare panel, no other program competes for the keyboard.
        if self._locked and hasattr(pygame.event, "set_keyboard_grab"):
            # Grab the keyboard only: with the mouse and a hidden pointer, pygame would report every click in the middle of the screen.
            pygame.event.set_keyboard_grab(True)

    def draw(self, page: Page) -> bool:
        """Show ``page``; return whether anything had to be drawn. Raises ScreenError: the display is lost."""
        if page == self._page or not self._open:
            return False
        with lost(DISPLAY, pygame.error):
            turns, first = self._page is not None and page.name != self._page.name, self._page is None
            if turns:
                self._too_late()
            self._page = page
            self._arrange(page)
            drawn = self._paint()
            if turns or first:
                self._seen = pressing.UnreadGuard(self._clocks.now())
            if turns and page.adjudicate is not None:
                self._too_early(page)
            return drawn

    def warm(self, pages: Iterable[Page]) -> None:
        """Draw ``pages`` invisibly, which fills caches of letters, icons and measures, so that the first one is drawn as fast as later ones."""
        unseen = pygame.Surface(self._sheet.get_size())
        for page in pages:
            Painter().draw(unseen, arrange(page, unseen.get_size(), self._options).without_key_labels)

    def poll(self) -> list[Event]:
        """Return the next input, without waiting; an empty list if there is none. Later calls return the others. Raises ScreenError: the display is lost."""
        if not self._open:
            return []
        with lost(DISPLAY, pygame.error):
            self._gather()
            before = self._touching.pressed
            pressed = self._next()
            if self._touching.pressed != before:
                self._paint()
        return [] if pressed is None else [pressed]

    def _gather(self) -> bool:
        # Handling an exposure talks to the server, which reads further events; repeat until there are none, or more than enough.
        while len(self._raw) < MAX and (events := pygame.event.get()):
            for event in events:
                self._handle(event)
        return bool(self._raw)

    def _on_event(self, event: pygame.event.Event) -> None:
        # The instant is taken on reading from SDL, because processing earlier events takes time.
        if event.type in _USED:
            self._raw.append((event, self._clocks.now()))

    def _next(self) -> Event | None:
        while self._raw:
            event, at = self._raw.popleft()
            if event.type == pygame.QUIT:
                if not self._locked:
                    return CloseAsked()
            elif self._page is not None and self.arranged is not None:
                if event.type == pygame.KEYDOWN and not self._keyboard_used:
                    self._keyboard_used = True
                    self._paint()
                pressed = self._point(event, at, self.arranged) if event.type in POINTERS else self._press(event, at, self._page)
                if pressed is not None:
                    self._seen = pressing.after(self._seen, pressed, self._page, self.arranged, at)
                    return pressed
        return None

    def _point(self, event: pygame.event.Event, at: int, arranged: Arranged | None) -> Event | None:
        """Take a touch at ``at`` (ns), and return the station's event, if any; ``arranged`` None: it was meant for an earlier page, and presses nothing."""
        # One button of a mouse is a finger.
        found = pointer(event, self.size, (1,))
        if found is None:
            return None
        source, spot = found
        if event.type in POINTED:
            target = None if arranged is None else pressing.touched(self._seen, arranged, spot, at)
            self._touching, made = pressing.down(self._touching, source, target)
        else:
            self._touching, made = pressing.up(self._touching, source, None if arranged is None else pressing.hit(arranged, *spot))
        return made

    def _press(self, event: pygame.event.Event, at: int, page: Page) -> Event | None:
        made = None
        if event.type == pygame.WINDOWFOCUSLOST:
            self._touching, self._typing = pressing.Touching(), pressing.Typing()
        elif event.type == pygame.TEXTINPUT:
            self._typing, made = pressing.text(self._typing, event.text, pressing.keys_that_count(self._seen, page, at), taken=page.typed)
        elif event.type not in KEYS or event.key in _SHIFTING:
            return None
        elif event.type == pygame.KEYDOWN:
            # AltGr types letters; named keys have no function with it.
            name = None if event.mod & _ALTGR else NAMED.get(event.key)
            counting, command = pressing.keys_that_count(self._seen, page, at), bool(event.mod & _COMMAND)
            self._typing, made = pressing.key_down(self._typing, event.key, name, counting, command=command)
        else:
            self._typing = pressing.key_up(self._typing, event.key)
        return made

    def _too_late(self) -> None:
        """Cancel touches from before a new page. Keys remain valid, because players type ahead."""
        self._gather()
        for event, _ in self._raw:
            if event.type in POINTERS:
                self._point(event, 0, None)
        self._raw = deque((event, at) for event, at in self._raw if event.type not in POINTERS)
        self._touching = pressing.turned(self._touching, ())

    def _too_early(self, page: Page) -> None:
        """Drop keys typed before the words to be checked appeared, however long drawing took: they cannot be an answer."""
        self._gather()
        unheard = page.replace(keys=MappingProxyType({}), typed=False)
        for event, at in self._raw:
            if event.type in KEYS:
                self._press(event, at, unheard)
        self._raw = deque((event, at) for event, at in self._raw if event.type not in KEYS)

    def _arrange(self, page: Page) -> None:
        self.arranged = arrange(page, self._sheet.get_size(), self._options)
        self._touching = pressing.turned(self._touching, self.arranged.targets)

    def _paint(self) -> bool:
        if self.arranged is None:
            return False
        arranged = self.arranged if self._keyboard_used else self.arranged.without_key_labels
        return self._show(self._painter.draw(self._sheet, arranged, self._touching.pressed))

    def _resized(self) -> None:
        self._painter = Painter()
        if self._page is not None:
            self._arrange(self._page)
            self._paint()
