"""The station's window, or its whole panel: pages go in, what people press comes out.

Every event of SDL is read against the page that stands on the screen at that moment: ``poll`` hands over one input at a time, so that the shell can draw what came of
it before the next is looked at. Touches that came before another page was up were meant for the old one, and press nothing; nor do keys that came before the words
to be checked. In a page's first half second only what types counts (``in_sight``), from when it was drawn.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import replace
from types import MappingProxyType
from typing import Final

import pygame

from appliance.clocks import Clocks
from appliance.display.pane import Pane
from appliance.display.screen_loss import lost
from appliance.display.turn import Rotation
from appliance.display.window import DISPLAY
from kiosk.face.page import Page
from kiosk.layout.arrange import arrange
from kiosk.layout.options import Options
from kiosk.layout.placed import Arranged
from kiosk.screens import touching, unread_guard
from kiosk.screens.inputs import Input, Quit, Said
from kiosk.screens.painter import Painter
from kiosk.screens.pointing import HEARD, KEYS, POINTERS, Hands, Sight, too_late, translate
from kiosk.screens.unread_guard import UnreadGuard

MOST: Final = 256
"""Events that are looked at in one go: a flood of them does not keep the screen from being drawn."""
_HEARD: Final = frozenset({*HEARD, pygame.QUIT})
_NEEDLESS: Final = (
    *(pygame.MOUSEMOTION, pygame.FINGERMOTION, pygame.MULTIGESTURE, pygame.MOUSEWHEEL),
    *(pygame.TEXTEDITING, pygame.DROPFILE, pygame.DROPTEXT),
)
"""What comes by the hundred, and what is dropped on the window or being composed."""
_CLOCKS: Final = Clocks()


class KioskWindow(Pane):
    """One screen on one display. One process has one."""

    def __init__(  # noqa: PLR0913 - each is one thing that a window is opened with
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
        """Open it.

        Args:
            size: width and height in pixels; ``fullscreen`` takes what the panel has.
            title: of the window.
            fullscreen: without a frame, without a mouse pointer.
            rotate: by how many degrees the picture is turned clockwise.
            options: how the page is laid out.
            locked: full screen, and no way out of it: whatever would close or leave the window is swallowed, and the keyboard is its own.
            clocks: say when something was pressed, and since when a page has been in sight.

        Raises:
            ScreenError: there is no display.
        """
        super().__init__(size, title, fullscreen=fullscreen or locked, rotate=rotate)
        self._options, self._locked, self._clocks = options or Options(), locked, clocks
        self._raw: deque[tuple[pygame.event.Event, int]] = deque()
        self._seen = UnreadGuard(clocks.now())
        self._hands = Hands()
        self._page: Page | None = None
        self._arranged: Arranged | None = None
        self._painter = Painter()
        self._listen()

    @property
    def arranged(self) -> Arranged | None:
        """What stands where; None before the first page."""
        return self._arranged

    def draw(self, page: Page) -> bool:
        """Show ``page``; return whether anything had to be drawn.

        Raises:
            ScreenError: the display is gone.
        """
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
                self._seen = UnreadGuard(self._clocks.now())
            if turns and page.adjudicate is not None:
                self._too_early(page)
            return drawn

    def warm(self, pages: Iterable[Page]) -> None:
        """Draw ``pages`` where nobody sees it: letters, signs and measures are kept, so that the first of them to be shown is drawn as fast as the next."""
        unseen = pygame.Surface(self._sheet.get_size())
        for page in pages:
            Painter().draw(unseen, arrange(page, unseen.get_size(), self._options))

    def poll(self) -> list[Input]:
        """Return the next thing that was pressed, without waiting; nothing where there is none. What else there is comes with the next calls.

        Raises:
            ScreenError: the display is gone.
        """
        if not self._open:
            return []
        with lost(DISPLAY, pygame.error):
            self._gather()
            before = self._hands.touching.pressed
            said = self._next()
            if self._hands.touching.pressed != before:
                self._paint()
        return [] if said is None else [said]

    def _listen(self) -> None:
        # By name: to block all and allow these, SDL goes through 65,000 kinds, which is a twentieth of the whole start.
        pygame.event.set_blocked(_NEEDLESS)
        pygame.key.start_text_input()
        # Debian bookworm's pygame 2.1.2 has no such call: on a bare panel, as an appliance has it, nobody else is there to take the keyboard.
        if self._locked and hasattr(pygame.event, "set_keyboard_grab"):
            # The keyboard alone: with the mouse too, and its pointer hidden, pygame would tell every click as one in the middle of the screen.
            pygame.event.set_keyboard_grab(True)

    def _gather(self) -> bool:
        # Answering an exposure talks to the server, and reads what came meanwhile: until there is nothing, or more than enough.
        while len(self._raw) < MOST and (events := pygame.event.get()):
            for event in events:
                self._take(event)
        return bool(self._raw)

    def _handle(self, event: pygame.event.Event) -> None:
        # Its instant is that at which it is taken from SDL: what is done with those before it takes time.
        if event.type in _HEARD:
            self._raw.append((event, self._clocks.now()))

    def _next(self) -> Input | None:
        while self._raw:
            event, at = self._raw.popleft()
            if event.type == pygame.QUIT:
                if not self._locked:
                    return Quit()
            elif self._page is not None and self._arranged is not None:
                sight = Sight(self._page, self._arranged, self.size, self._seen, at)
                self._hands, said = translate(self._hands, event, sight)
                if said is not None:
                    self._seen = unread_guard.after(self._seen, said, self._page, self._arranged, at)
                    return Said(said, at)
        return None

    def _too_late(self) -> None:
        """Another page comes: no touch before it counts there. Keys do: somebody types ahead."""
        self._gather()
        for event, _ in self._raw:
            if event.type in POINTERS:
                self._hands = too_late(self._hands, event)
        self._raw = deque((event, at) for event, at in self._raw if event.type not in POINTERS)
        self._hands = Hands(touching.turned(self._hands.touching, ()), self._hands.typing)

    def _too_early(self, page: Page) -> None:
        """The words to be checked stand there only now: a key that was typed ahead of them is nobody's answer, however long they took to draw."""
        self._gather()
        unheard = replace(page, keys=MappingProxyType({}), typed=False)
        for event, at in self._raw:
            if event.type in KEYS and self._arranged is not None:
                self._hands, _ = translate(self._hands, event, Sight(unheard, self._arranged, self.size, self._seen, at))
        self._raw = deque((event, at) for event, at in self._raw if event.type not in KEYS)

    def _arrange(self, page: Page) -> None:
        self._arranged = arrange(page, self._sheet.get_size(), self._options)
        self._hands = Hands(touching.turned(self._hands.touching, self._arranged.targets), self._hands.typing)

    def _paint(self) -> bool:
        if self._arranged is None:
            return False
        return self._show(self._painter.draw(self._sheet, self._arranged, self._hands.touching.pressed))

    def _resized(self) -> None:
        self._painter = Painter()
        if self._page is not None:
            self._arrange(self._page)
            self._paint()
