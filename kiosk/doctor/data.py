"""Check the station's data: settings, rulebooks, texts and keys, and the director's choices over the settings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from appliance.checks.finding import Finding, counted, error_finding, fail, note, ok
from appliance.errors import TileclockError
from appliance.lock.pin import parsed
from appliance.settings.last_good import finding
from kiosk.settings import Layered, Settings
from kiosk.shell.choices_file import Choice, beside, in_force, read
from kiosk.texts import load_texts
from rules.rulebooks import RulebookError, load_rulebook, load_source, shipped_ids


def check_settings(layered: Layered) -> Iterator[Finding]:
    """Yield the source of each setting; or why the machine's files are not in force, and what replaces them."""
    yield finding(layered)


def check_choices(settings: Settings) -> Iterator[Finding]:
    """Yield the director's choices at the desk that differ from the settings."""
    path = beside(Path(settings.log.path))
    try:
        choices: Mapping[str, Choice] = read(path)
    except (OSError, ValueError) as error:
        yield fail("choices", f"the desk's choices cannot be read: {error}", f"Choose anew at the desk, or remove {path}.")
        return
    values = {"lexicon": settings.lexicon.path, "rulebook": settings.rulebook, "name": settings.name}
    differ = {key: value for key, value in in_force(choices, values).items() if value != values[key]}
    for key, value in differ.items():
        yield note(f"chosen {key}", f"{value}; the settings say {values[key]}")


def check_rulebooks(settings: Settings) -> Iterator[Finding]:
    """Yield each unusable rulebook, or one line for all."""
    bad = False
    for name in dict.fromkeys((settings.rulebook, *settings.own_rulebooks, *shipped_ids())):
        try:
            load_rulebook(name)
        except RulebookError as error:
            bad = True
            yield error_finding(f"rulebook {name}", error, "Name another rulebook in the settings")
    if not bad:
        own = counted(len(settings.own_rulebooks), "own", "own")
        yield ok("rulebooks", f"{len(shipped_ids())} shipped, {own}; the settings name {load_source(settings.rulebook).title}")


def check_texts(language: str) -> Iterator[Finding]:
    """Yield whether the texts are usable."""
    try:
        texts = load_texts(language)
    except TileclockError as error:
        yield error_finding(
            "texts", error, "Choose a shipped language with --language, or install Tileclock anew if a file of it was changed"
        )
        return
    yield ok("texts", f"{language}: {counted(len(texts.by_key), 'text')}")


def check_door(settings: Settings) -> Iterator[Finding]:
    """Yield whether the director's door can be opened."""
    by_key = settings.door.key_switch and settings.board.pins != "none"
    if settings.door.pin:
        parsed(settings.door.pin)
        yield ok("director's door", "a PIN opens it" + (", or the key switch" if by_key else ""))
    elif by_key:
        yield note("director's door", "the key switch alone opens it")
    else:
        yield fail(
            "director's door",
            "nothing opens it: no PIN is set",
            "Create one with `tilekiosk config pin`, and copy the line it prints into the settings.",
        )
