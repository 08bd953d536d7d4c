"""The pure station beside a real one: fed with the same touches and keys, it says what must stand on the real one's screen, to the pixel."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import pygame

from kiosk.context import Trouble
from kiosk.director.door import Lock
from kiosk.events import Event, Judge, Judged, Type
from kiosk.face.page import Page
from kiosk.face.view import PageMaker
from kiosk.layout.arrange import arrange
from kiosk.layout.placed import Arranged, Options
from kiosk.lexicons.loading import Loaded, load
from kiosk.screens.painter import Painter
from kiosk.settings import Settings
from kiosk.shell.assemble import context_of
from kiosk.station import Station, apply, begin
from rules.rulebooks import load_rulebook

SIZE = (1024, 600)


@dataclass
class Twin:
    station: Station
    loaded: Loaded
    rows: int = 1
    """STARTED."""
    size: tuple[int, int] = SIZE
    now: Callable[[], int] = time.monotonic_ns
    """The real one's clock, ns."""
    keyed: bool = False
    """A real keyboard has been used: labels such as F1 are shown."""

    @classmethod
    def of(cls, settings: Settings, size: tuple[int, int] = SIZE, now: Callable[[], int] = time.monotonic_ns) -> Twin:
        found = load(settings.lexicon.path)
        assert not isinstance(found, Trouble)
        force = {"name": settings.name}
        context = context_of(settings, force, (load_rulebook(settings.rulebook), found), ())
        return cls(begin(context, Lock(settings.door.pin), now()), found, size=size, now=now)

    @property
    def page(self) -> Page:
        return self.page_at(self.now())

    def page_at(self, now: int) -> Page:
        """Return the page at an instant (ns)."""
        return PageMaker("auto")(self.station, now)

    @property
    def arranged(self) -> Arranged:
        return arrange(self.page, self.size, Options())

    def middle(self, target: str) -> tuple[int, int]:
        box = next(item.box for item in self.arranged.items if item.target is not None and item.target.id == target)
        return box.x + box.width // 2, box.y + box.height // 2

    def tap(self, target: str) -> None:
        self.feed(next(each.event for each in self.arranged.targets if each.id == target))

    def key(self, name: str) -> None:
        self.keyed = True
        self.feed(self.page.keys[name])

    def type(self, text: str) -> None:
        self.keyed = True
        assert self.page.typed
        for character in text:
            self.feed(Type(character))

    def feed(self, event: Event) -> None:
        self.station, effects = apply(self.station, event, self.now())
        for effect in effects:
            if isinstance(effect, Judge):
                self.rows += 1
                self.feed(Judged(self.loaded.lexicon.accepts(effect.entry.words), self.rows))

    def picture(self) -> bytes:
        """What must stand on the screen, as raw pixels."""
        surface = pygame.Surface(self.size, depth=32)
        Painter().draw(surface, self.arranged if self.keyed else self.arranged.without_key_labels, frozenset())
        return pygame.image.tobytes(surface, "RGB")
