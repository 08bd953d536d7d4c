"""Check the station's own data: the director's choices over the settings, and the director's door."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from appliance.checks.finding import Finding, fail, note, ok
from appliance.lock.pin import parsed
from faults.errors import Phrase, as_phrase, reason
from kiosk.settings import Settings
from kiosk.shell.choices_file import Choice, ChoicesError, beside, in_force, read


def check_choices(settings: Settings) -> Iterator[Finding]:
    """Yield the director's choices at the desk that differ from the settings."""
    path = beside(Path(settings.log.path))
    try:
        choices: Mapping[str, Choice] = read(path)
    except (OSError, ChoicesError) as error:
        why = error.problem if isinstance(error, ChoicesError) else as_phrase(reason(error))
        yield fail(
            "choices",
            Phrase("the desk's choices cannot be read: {why}", why=why),
            Phrase("Choose anew at the desk, or remove {path}.", path=path),
        )
        return
    values = {"lexicon": settings.lexicon.path, "rulebook": settings.rulebook, "name": settings.name}
    differ = {key: value for key, value in in_force(choices, values).items() if value != values[key]}
    for key, value in differ.items():
        yield note(Phrase("chosen {key}", key=Phrase(key)), Phrase("{value}; the settings say {setting}", value=value, setting=values[key]))


def check_door(settings: Settings) -> Iterator[Finding]:
    """Yield whether the director's door can be opened."""
    by_key = settings.door.key_switch and settings.board.pins != "none"
    if settings.door.pin:
        parsed(settings.door.pin)
        yield ok("director's door", "a PIN opens it, or the key switch" if by_key else "a PIN opens it")
    elif by_key:
        yield note("director's door", "the key switch alone opens it")
    else:
        yield fail(
            "director's door",
            "nothing opens it: no PIN is set",
            "Create one with `tilekiosk config pin`, and copy the line it prints into the settings.",
        )
