"""Check the station's own data: lexicon and divisions, the director's choices over the settings, the director's door, and the log.

The log is only read; the station may be running.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryFile

from appliance.finding import Finding, counted, error_finding, fail, note, ok
from appliance.lock import parsed
from appliance.records.chain import short
from appliance.records.files import is_missing
from appliance.records.sqlite import describe_io_error
from faults.errors import Phrase, as_phrase, reason
from game.challenge_log.entry import LexiconName
from game.challenge_log.reading import reading, verify
from game.challenge_log.row import DamagedLog, LogError
from kiosk.challenge.context import Trouble
from kiosk.lexicons.loading import expected, listing, load
from kiosk.settings import Settings
from kiosk.settings.model import DivisionSettings, LexiconSettings
from kiosk.shell.choices import Choice, ChoicesError, beside, in_force, read
from lexicon import LexiconError
from rules.rulebooks import RulebookError, load_rulebook


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


def check_lexicon(path: Path, settings: LexiconSettings) -> Iterator[Finding]:
    """Yield a finding about the lexicon at ``path``, and the number of others in the folder."""
    try:
        wanted = expected(settings.alphabet or None, settings.sha256 or None)
    except LexiconError as error:
        yield error_finding("alphabet", error, "Name a shipped alphabet in lexicon.alphabet, or leave it empty")
        return
    found = load(path, wanted)
    if isinstance(found, Trouble):
        yield error_finding("lexicon", found.what, "Copy the file anew, or name another with --lexicon")
    else:
        found.close()
        yield note("lexicon", described(found.name)) if found.name.practice else ok("lexicon", described(found.name))
    usable = [each for each in listing(Path(settings.folder), (), wanted) if each.fault is None]
    yield note(
        "lexicon folder",
        Phrase("{folder}: {lexicons} to choose from at the desk", folder=settings.folder, lexicons=counted(len(usable), "lexicon")),
    )


def described(name: LexiconName) -> Phrase:
    """Return what a completely read list is, and whether it is the practice list."""
    what = " ".join(part for part in (name.name, name.edition) if part)
    text = Phrase(
        "{name}, {words:,} words, {hash}, alphabet {alphabet}: read whole",
        name=what,
        words=name.words,
        hash=name.short_hash,
        alphabet=name.alphabet,
    )
    return Phrase("{lexicon}. It is the practice list: no verdict counts", lexicon=text) if name.practice else text


def check_divisions(divisions: Sequence[DivisionSettings]) -> Iterator[Finding]:
    """Yield a finding about each division; its list is read completely."""
    for division in divisions:
        name = Phrase("division {name}", name=division.name)
        try:
            title = load_rulebook(division.rulebook).title
        except RulebookError as error:
            yield error_finding(name, error, "Name another rulebook in the settings")
            continue
        found = load(division.lexicon)
        if isinstance(found, Trouble):
            yield error_finding(name, found.what, "Copy the file anew, or name another in the settings")
            continue
        found.close()
        text = Phrase("tables {tables}, {rulebook}, {lexicon}", tables=division.tables, rulebook=title, lexicon=described(found.name))
        yield note(name, text) if found.name.practice else ok(name, text)


ROOM = 16 << 20
"""The minimum of free bytes: a day of challenges needs far less; SQLite's files beside the log take some 4 MB, written twice."""


def check_log(path: Path) -> Iterator[Finding]:
    """Yield findings about the log at ``path``; neither it nor its folder need exist."""
    yield _folder(path)
    if is_missing(path):
        yield note("log", Phrase("there is none at {path}: the first row creates it", path=path))
        return
    try:
        with reading(path) as connection:
            found = verify(connection)
    except DamagedLog as error:
        yield fail(
            "log", error.problem, "Start the station: it renames a damaged log and begins a new one. Keep the old file for the director."
        )
        return
    except LogError as error:
        yield error_finding("log", error, "Name another file with --log")
        return
    if found.fault is not None:
        yield fail(
            "log",
            Phrase("{path}: {fault}", path=path, fault=found.fault.meaning),
            "Keep the file for the director: `tilekiosk log list` shows its readable rows.",
        )
        return
    yield ok(
        "log",
        Phrase(
            "{path}: {rows}, whole; the hash of the last begins {hash}", path=path, rows=counted(found.rows, "row"), hash=short(found.head)
        ),
    )


def _folder(path: Path) -> Finding:
    # The root exists. A folder that may not be examined is not writable either, so its parent is tried.
    folder = next(each for each in path.absolute().parents if os.path.exists(each))  # noqa: PTH110 - Path.exists raises without permission to look
    try:
        with TemporaryFile(dir=folder) as file:
            file.write(b"\0" * 4096)
            file.flush()
            os.fsync(file.fileno())
        room = os.statvfs(folder)
    except OSError as error:
        why = describe_io_error(error)
        return fail(
            "log folder",
            Phrase("{folder} cannot be written to: {why}", folder=folder, why=as_phrase(why.problem)),
            Phrase("{remedy}, or choose another place with --log.", remedy=as_phrase(why.remedy)),
        )
    free = room.f_bavail * room.f_frsize
    if free < ROOM:
        return fail(
            "log folder",
            Phrase("{folder}: {free} MiB are free", folder=folder, free=free >> 20),
            "Make room on that disk, or choose another place with --log.",
        )
    return ok("log folder", Phrase("{folder} can be written to", folder=folder))
