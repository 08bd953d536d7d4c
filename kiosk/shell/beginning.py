"""How a station begins: on which ground it stands, and what its log remembers of the director's door."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from firmware.rulebooks import Rulebook, RulebookError, load_rulebook
from hardware.logbook import log as logbook
from kiosk.challenge.standing import Standing, Trouble
from kiosk.director.door import Lock
from kiosk.lexicons.shelf import Loaded
from kiosk.log.errors import NotLogged
from kiosk.log.log import Log
from kiosk.settings import Settings
from kiosk.settings.limits import limits
from kiosk.shell.choices import Choices
from kiosk.shell.chosen import beside
from kiosk.texts import languages, load_texts


def choices_of(settings: Settings) -> Choices:
    """Return the director's choices, over what the settings say."""
    said = {"lexicon": settings.lexicon.path, "rulebook": settings.rulebook, "name": settings.name}
    return Choices(beside(Path(settings.log.path)), said)


def rulebook_of(choices: Choices) -> Rulebook:
    """Return the rulebook in force: the chosen one, or, where that is gone, the settings'.

    Raises:
        RulebookError: neither can be used.
    """
    try:
        return load_rulebook(choices.in_force["rulebook"])
    except RulebookError as error:
        logbook().warning("rulebook", why=str(error))
        choices.forget("rulebook")
        return load_rulebook(choices.in_force["rulebook"])


def standing_of(settings: Settings, force: Mapping[str, str], rulebook: Rulebook, found: Loaded | Trouble) -> Standing:
    """Return what the station stands like at its start; ``force`` has what the director chose.

    Raises:
        TextsError: there is no such language.
    """
    load_texts(settings.language)
    loaded = found if isinstance(found, Loaded) else None
    return Standing(
        name=force["name"],
        rulebook=rulebook,
        lexicon=None if loaded is None else loaded.name,
        spelling=None if loaded is None else loaded.spelling,
        trouble=found if isinstance(found, Trouble) else None,
        limits=limits(settings),
        language=settings.language,
        languages=tuple(languages()),
    )


def lock_of(settings: Settings) -> Lock:
    """Return what opens the director's door: a key switch only where there are pins for it."""
    return Lock(pin=bool(settings.door.pin), key=settings.door.key_switch and settings.board.pins != "none")


def tries_of(log: Log) -> int:
    """Return how many wrong PINs there were since the door was last opened; none where the log cannot be read."""
    try:
        return log.door_refusals().count
    except NotLogged:
        return 0
