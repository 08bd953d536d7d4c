"""The station's initial state: its context with the divisions, and what its log knows of the director's door and of word judges."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime, timedelta
from pathlib import Path

from appliance.clocks import Clocks, Stamp, is_dated
from appliance.errors import RecordError, SettingsError
from appliance.lock import FREE_TRIES
from appliance.log import get_logger as logbook
from appliance.texts import language_names
from faults.errors import Phrase
from kiosk.challenge import repeats
from kiosk.context import Division, JudgedBy, StationContext, Trouble
from kiosk.director import word_judge
from kiosk.director.door import Lock
from kiosk.director.word_judge import REMEMBERED_NS
from kiosk.lexicons.loading import Loaded, load
from kiosk.log import Log
from kiosk.settings import Layered, Settings, limits
from kiosk.shell.choices import Choices, beside
from kiosk.station import NOTHING, Before
from kiosk.texts import load_texts
from records.entry import Entry, Kind
from records.log import NotLogged, entry_of, rows
from rules.rulebooks import Rulebook, RulebookError, load_rulebook
from rules.tables import tables_of


def divisions_of(layered: Layered) -> Iterator[tuple[Division, Loaded]]:
    """Yield each division with its open list, which the caller closes. Raises RulebookError or SettingsError, which names settings, tables and list."""
    lists: dict[str, Loaded] = {}
    for division in layered.settings.divisions:
        if division.lexicon not in lists:
            found = load(division.lexicon)
            if isinstance(found, Trouble):
                origin = layered.origins.get("divisions", "")
                raise SettingsError(
                    where=f"{origin}: divisions" if origin else "divisions",
                    expected=Phrase("the list of {division}, tables {tables}", division=division.name, tables=division.tables),
                    found=found.what.problem,
                    remedy=found.what.remedy,
                )
            lists[division.lexicon] = found
        loaded = lists[division.lexicon]
        by = JudgedBy(load_rulebook(division.rulebook), loaded.name, loaded.spelling)
        yield Division(division.name, tables_of(division.tables), by), loaded


def choices_of(settings: Settings) -> Choices:
    """Return the director's choices, over the settings' values."""
    values = {"lexicon": settings.lexicon.path, "rulebook": settings.rulebook, "name": settings.name}
    return Choices(beside(Path(settings.log.path)), values)


def rulebook_of(choices: Choices) -> Rulebook:
    """Return the rulebook in force: the chosen one, or the settings' if the chosen one is unusable. Raises RulebookError: neither is usable."""
    chosen = choices.in_force["rulebook"]
    try:
        return load_rulebook(chosen)
    except RulebookError as error:
        choices.forget("rulebook")
        if (named := choices.in_force["rulebook"]) == chosen:
            raise
        logbook().warning("rulebook", why=str(error))
        return load_rulebook(named)


def context_of(
    settings: Settings, force: Mapping[str, str], own: tuple[Rulebook, Loaded | Trouble], divisions: tuple[Division, ...]
) -> StationContext:
    """Return the station's context at startup; ``own``: its rulebook, and lexicon or why there is none. Raises TextsError: no such language."""
    load_texts(settings.language)
    rulebook, found = own
    loaded = found if isinstance(found, Loaded) else None
    return StationContext(
        name=force["name"],
        rulebook=rulebook,
        lexicon=None if loaded is None else loaded.name,
        spelling=None if loaded is None else loaded.spelling,
        trouble=found if isinstance(found, Trouble) else None,
        limits=limits(settings),
        language=settings.language,
        languages=language_names(),
        divisions=divisions,
    )


def lock_of(settings: Settings) -> Lock:
    """Return the lock of the director's door: a key switch counts only if there are pins for it."""
    return Lock(pin=bool(settings.door.pin), key=settings.door.key_switch and settings.board.pins != "none")


def tries_of(log: Log) -> int:
    """Return the number of wrong PINs since the door was last opened. Call it after an attempt to write a row.

    A log that was renamed, or cannot be read or written, does not tell. Then return enough to shut the door, and each further one shuts it longer:
    otherwise filling the disk would allow a few guesses after each restart.
    """
    try:
        known = log.door_refusals().count
    except NotLogged:
        known = 0
    return known if log.news is None and log.trouble is None else max(known, FREE_TRIES + 1)


def before(log: Log, context: StationContext, clocks: Clocks, at: int, find: Callable[[str], tuple[str, Rulebook] | None]) -> Before:
    """Return the unfinished challenges of the log at ``at`` (ns): a play between two word judges, challenges to repeat, verdicts to show once more.

    Nothing if the log cannot be read. ``find`` returns name and rulebook of an id.
    """
    try:
        last = [(stored, entry_of(stored)) for stored in rows(log.path, None, repeats.LAST) if stored.row.kind != Kind.SIGNED]
    except RecordError:
        return NOTHING
    judged = word_judge.unfinished([(stored.seq, entry) for stored, entry in last[: word_judge.LAST]], context, at + REMEMBERED_NS)
    aged = [repeats.Aged(stored.seq, entry, _age(stored.row.stamp, clocks, at)) for stored, entry in reversed(last)]

    def by(entry: Entry) -> JudgedBy | None:
        return _judged_by(entry, context, find)

    return Before(() if judged is None else (judged,), repeats.reopened(aged, context.limits, at, by), repeats.verdicts_in(aged, at, by))


def _judged_by(entry: Entry, context: StationContext, find: Callable[[str], tuple[str, Rulebook] | None]) -> JudgedBy | None:
    """Return the rulebook and the open list of a row; None: one of them is gone."""
    lists = [context.by, *(division.by for division in context.divisions)]
    wanted = None if entry.lexicon is None else entry.lexicon.sha256
    of_list = next((by for by in lists if by.lexicon is not None and by.lexicon.sha256 == wanted), None)
    found = None if entry.rulebook is None else find(entry.rulebook)
    return None if of_list is None or found is None else JudgedBy(found[1], of_list.lexicon, of_list.spelling)


def _age(stamp: Stamp, clocks: Clocks, at: int) -> int:
    """Return how long ago ``stamp`` was, in ns; for another boot, by the wall clock.

    Zero if the wall clock is behind, as on a Pi without a battery, or if only one of the times has a date, so that their distance is unknown.
    """
    if stamp.boot == clocks.boot():
        return max(0, at - stamp.mono)
    wall = clocks.wall()
    if is_dated(wall) is not is_dated(stamp.wall):
        return 0
    passed = datetime.fromisoformat(wall) - datetime.fromisoformat(stamp.wall)
    return max(0, passed // timedelta(microseconds=1) * 1000)
