"""The self-test: checks of everything the station needs from this machine, with a remedy for each failure.

Every check takes its subject as an argument and yields ``Finding`` values. ``examine`` orders them for ``tilekiosk doctor``, where the station is stopped;
``examine_live`` for the desk of a running station, which uses log, pins and printer itself.
"""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryFile
from typing import Final

from appliance.errors import Diagnosis, Finding, State, counted, error_finding, fail, note, ok
from appliance.records.sqlite import describe_io_error
from appliance.settings import check_settings
from appliance.texts import check_texts
from faults.errors import Phrase, as_phrase
from hardware.buttons.self_test import Interview
from hardware.doctor import Bench, check_machine, check_speech
from kiosk.context import SelfTestResult, Trouble, Value
from kiosk.doctor.parts import check_pins, check_printer, check_screen
from kiosk.lexicons.loading import expected, listing, load
from kiosk.settings import DivisionSettings, Layered, LexiconSettings, Settings
from kiosk.shell.choices import Choices
from kiosk.texts import load_texts
from lexicon import LexiconError
from records.entry import LexiconName
from records.log import LOG
from rules.rulebooks import RulebookError, load_rulebook
from rules.rulebooks.load import check_rulebooks


def check_choices(choices: Choices) -> Iterator[Finding]:
    if choices.unreadable is not None:
        yield fail(
            "choices",
            Phrase("the desk's choices cannot be read: {why}", why=as_phrase(choices.unreadable)),
            Phrase("Choose again at the desk, or remove {path}.", path=choices.path),
        )
        return
    for key, value in choices.in_force.items():
        if value != choices.settings[key]:
            yield note(
                Phrase("chosen {key}", key=Phrase(key)),
                Phrase("{value}; the settings say {setting}", value=value, setting=choices.settings[key]),
            )


def check_door(settings: Settings) -> Iterator[Finding]:
    by_key = settings.door.key_switch and settings.board.pins != "none"
    if settings.door.pin:
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
    try:
        wanted = expected(settings.alphabet or None, settings.sha256 or None)
    except LexiconError as error:
        yield error_finding("alphabet", error, "Name a shipped alphabet in lexicon.alphabet, or leave it empty")
        return
    found = load(path, wanted)
    if isinstance(found, Trouble):
        yield error_finding("lexicon", found.what, "Copy the file again, or name another with --lexicon")
    else:
        yield note("lexicon", described(found.name)) if found.name.practice else ok("lexicon", described(found.name))
    usable = [each for each in listing(Path(settings.folder), (), wanted) if each.why is None]
    yield note(
        "lexicon folder",
        Phrase("{folder}: {lexicons} to choose from at the desk", folder=settings.folder, lexicons=counted(len(usable), "lexicon")),
    )


def described(name: LexiconName) -> Phrase:
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
    for division in divisions:
        name = Phrase("division {name}", name=division.name)
        try:
            title = load_rulebook(division.rulebook).title
        except RulebookError as error:
            yield error_finding(name, error, "Name another rulebook in the settings")
            continue
        found = load(division.lexicon)
        if isinstance(found, Trouble):
            yield error_finding(name, found.what, "Copy the file again, or name another in the settings")
            continue
        text = Phrase("tables {tables}, {rulebook}, {lexicon}", tables=division.tables, rulebook=title, lexicon=described(found.name))
        yield note(name, text) if found.name.practice else ok(name, text)


ROOM = 16 << 20
"""The minimum of free bytes: a day of challenges needs far less; SQLite's files beside the log take some 4 MB, written twice."""


def check_log(path: Path) -> Iterator[Finding]:
    yield _folder(path)
    yield from LOG.check(
        path,
        set_aside=Phrase("Start the station: it renames a damaged log and begins a new one. Keep the old file for the director."),
        doubted=Phrase("Keep the file for the director: `tilekiosk log list` shows its readable rows."),
        unreadable=Phrase("Name another file with --log"),
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


THIS_MACHINE: Final = Bench()
_DATED: Final = "dates in the log and on slips"


class Live(Value, frozen=True):
    lexicon: Trouble | None
    log: Trouble | None
    printer: Diagnosis | None
    threads: str | None = None
    pins: Diagnosis | None = None
    """Why the pins of the settings are unavailable; None: they are available, or none are named."""


def examine(layered: Layered, bench: Bench = THIS_MACHINE, interview: Interview | None = None) -> Iterator[Finding]:
    """Yield the findings on a machine whose station is stopped, in the order in which a person would look; ``interview`` None: no presses, no key."""
    settings, choices = layered.settings, Choices(layered.settings)
    yield from _data(layered, choices)
    yield from check_lexicon(Path(choices.in_force["lexicon"]), settings.lexicon)
    yield from check_divisions(settings.divisions)
    yield from check_log(Path(settings.log.path))
    yield from check_door(settings)
    yield from check_machine(bench, _DATED)
    yield from check_screen(settings.screen, bench.probe, bench.environment.get("SDL_VIDEODRIVER"))
    yield from check_pins(settings.board, bench.opener, bench.pi(), interview)
    yield from check_printer(settings.printer)
    yield from check_speech(settings.language, speaks=settings.speech.enabled)


def examine_live(layered: Layered, live: Live, bench: Bench = THIS_MACHINE) -> tuple[SelfTestResult, ...]:
    """Return a running station's findings for the desk: the list read completely again, the log's chain, the state of its parts."""
    settings, choices = layered.settings, Choices(layered.settings)
    findings = (
        *check_lexicon(Path(choices.in_force["lexicon"]), settings.lexicon),
        *check_divisions(settings.divisions),
        _known("judging", live.lexicon, "nothing prevents it"),
        *check_log(Path(settings.log.path)),
        _known("writing the log", live.log, "the last row was written"),
        *_pins(settings, live.pins),
        _printer(settings, live.printer),
        *check_speech(settings.language, speaks=settings.speech.enabled),
        *check_door(settings),
        *_data(layered, choices),
        *check_machine(bench, _DATED),
        _threads(live.threads),
    )
    return tuple(SelfTestResult(_line(finding), fine=finding.state is not State.FAIL) for finding in findings)


def _data(layered: Layered, choices: Choices) -> Iterator[Finding]:
    settings = layered.settings
    yield check_settings(layered)
    yield from check_choices(choices)
    yield from check_rulebooks(settings.rulebook, settings.own_rulebooks)
    yield check_texts(settings.language, load_texts)


def _known(name: str, ailing: Trouble | None, well: str) -> Finding:
    return ok(name, well) if ailing is None else error_finding(name, ailing.what, "See the screen")


def _pins(settings: Settings, ailing: Diagnosis | None) -> Iterator[Finding]:
    if ailing is not None:
        yield error_finding("pins", ailing)
    elif "none" not in {settings.board.file, settings.board.pins}:
        yield ok("pins", Phrase("{library}: all pins of the station are open", library=settings.board.pins))


def _printer(settings: Settings, ailing: Diagnosis | None) -> Finding:
    if not settings.printer.port:
        return note("printer", "there is none")
    return error_finding("printer", ailing) if ailing else ok("printer", Phrase("{port}: no fault is known", port=settings.printer.port))


def _threads(dead: str | None) -> Finding:
    if dead is None:
        return ok("program", "all of it runs")
    remedy = (
        "Players may go on. Between two challenges end the program, here at the desk: systemd starts it again. Keep the machine's journal."
    )
    return fail("program", Phrase("ended by an error that it did not expect: {threads}.", threads=dead), remedy)


def _line(finding: Finding) -> Phrase:
    found = Diagnosis(finding.found, finding.fix).sentences if finding.fix else as_phrase(finding.found)
    return Phrase("{name}: {found}", name=as_phrase(finding.name), found=found)
