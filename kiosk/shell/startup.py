"""How a station begins: on which ground it stands, and what its log remembers of the director's door and of word judges."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from pathlib import Path

from appliance.clocks import Clocks, Stamp, is_dated
from appliance.log import get_logger as logbook
from kiosk.challenge import reopened
from kiosk.challenge.context import StationContext, Trouble
from kiosk.director import unfinished
from kiosk.director.door import FREE_TRIES, Lock
from kiosk.director.opinion import REMEMBERED_NS
from kiosk.lexicons.shelf import Loaded
from kiosk.log.errors import LogError, NotLogged
from kiosk.log.log import Log
from kiosk.log.reading import entry_of, rows
from kiosk.settings import Settings
from kiosk.settings.limits import limits
from kiosk.shell.choices import Choices
from kiosk.shell.choices_file import beside
from kiosk.station.value import NOTHING, Before
from kiosk.texts import languages, load_texts
from rules.rulebooks import Rulebook, RulebookError, load_rulebook


def choices_of(settings: Settings) -> Choices:
    """Return the director's choices, over what the settings say."""
    said = {"lexicon": settings.lexicon.path, "rulebook": settings.rulebook, "name": settings.name}
    return Choices(beside(Path(settings.log.path)), said)


def rulebook_of(choices: Choices) -> Rulebook:
    """Return the rulebook in force: the chosen one, or, where that is gone, the settings'.

    Raises:
        RulebookError: neither can be used.
    """
    chosen = choices.in_force["rulebook"]
    try:
        return load_rulebook(chosen)
    except RulebookError as error:
        choices.forget("rulebook")
        if (named := choices.in_force["rulebook"]) == chosen:
            raise
        logbook().warning("rulebook", why=str(error))
        return load_rulebook(named)


def standing_of(settings: Settings, force: Mapping[str, str], rulebook: Rulebook, found: Loaded | Trouble) -> StationContext:
    """Return what the station stands like at its start; ``force`` has what the director chose.

    Raises:
        TextsError: there is no such language.
    """
    load_texts(settings.language)
    loaded = found if isinstance(found, Loaded) else None
    return StationContext(
        name=force["name"],
        rulebook=rulebook,
        lexicon=None if loaded is None else loaded.name,
        spelling=None if loaded is None else loaded.spelling,
        trouble=found if isinstance(found, Trouble) else None,
        limits=limits(settings),
        language=settings.language,
        languages=languages(),
    )


def lock_of(settings: Settings) -> Lock:
    """Return what opens the director's door: a key switch only where there are pins for it."""
    return Lock(pin=bool(settings.door.pin), key=settings.door.key_switch and settings.board.pins != "none")


def tries_of(log: Log) -> int:
    """Return how many wrong PINs there were since the door was last opened, after a row was tried to be written.

    A log that was set aside, or cannot be read or written, does not say: then there were as many as shut the door, and each further one shuts it longer. Else
    whoever fills the disk would guess as often as the station is switched off and on.
    """
    try:
        known = log.door_refusals().count
    except NotLogged:
        known = 0
    return known if log.told is None and log.trouble is None else max(known, FREE_TRIES + 1)


def before(log: Log, standing: StationContext, clocks: Clocks, at: int) -> Before:
    """Return what the log, at ``at`` (ns), knows of challenges that are not over: the play that a loss of power found between two word judges, and what may be repeated.

    Nothing where the log cannot be read.
    """
    try:
        last = [(kept, entry_of(kept)) for kept in rows(log.path, None, reopened.LAST)]
    except LogError:
        return NOTHING
    judged = unfinished.unfinished([(kept.seq, entry) for kept, entry in last[: unfinished.LAST]], standing.rulebook, at + REMEMBERED_NS)
    aged = [reopened.Aged(kept.seq, entry, _age(kept.row.stamp, clocks, at)) for kept, entry in reversed(last)]
    return Before(() if judged is None else (judged,), reopened.reopened(aged, standing.limits, at))


def _age(stamp: Stamp, clocks: Clocks, at: int) -> int:
    """Return how long ago that was, in ns: of another boot by the wall clock.

    As if it were just now where that runs behind, as on a Pi without a battery; and where only one of the two times is a date: how far apart they are, nobody knows.
    """
    if stamp.boot == clocks.boot():
        return max(0, at - stamp.mono)
    wall = clocks.wall()
    if is_dated(wall) is not is_dated(stamp.wall):
        return 0
    passed = datetime.fromisoformat(wall) - datetime.fromisoformat(stamp.wall)
    return max(0, passed // timedelta(microseconds=1) * 1000)
