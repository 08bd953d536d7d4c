"""Carry out the effects of the pure station: judge plays, log rows, print slips, and what the judge desk asks for.

Every failure returns as an event, not as an error. The order of a verdict is fixed here: look up all words, commit the row to the disk, and only then return the
event that shows the verdict. Slow requests go to the errands' threads or the lexicon's loader, and their results come through the inbox; the others are answered
at once. ``StationConditions`` changes the station's context: lexicon, rulebook, name, troubles and news of the machine.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from msgspec.structs import replace

from appliance.clocks import Clocks, is_dated, local_time
from appliance.errors import Diagnosis, PowerOffError, RecordError
from appliance.power import REMEDY, Power
from appliance.program import PowerOff
from appliance.records.sqlite import describe_io_error
from appliance.settings import RejectedSettings
from appliance.texts import Texts
from faults.errors import Phrase, TileclockError, as_phrase, full_stop, in_a_row, reason
from hardware.printer.spooler import SlipPrinter
from kiosk.context import (
    Advice,
    AdviceTopic,
    Facts,
    LexiconFile,
    LogLine,
    LogPage,
    RulebookChoice,
    SelfTestResult,
    StationContext,
    Trouble,
    Value,
)
from kiosk.events import (
    CallAtClock,
    CannotJudge,
    Effect,
    Event,
    ExportLog,
    Judge,
    Judged,
    JudgeDeskAnswer,
    LookForLexicons,
    LookForRulebooks,
    Print,
    Propose,
    ReadLog,
    Rename,
    SetContext,
    SwitchOff,
    TestYourself,
    Use,
    VerdictWritten,
    WriteEntry,
    WriteVerdict,
)
from kiosk.lexicons.loading import Fetched, LexiconLoader, Loaded, listing
from kiosk.log import LogRecorder, export_csv, readable
from kiosk.settings import Settings
from kiosk.shell.choices import Choices
from kiosk.shell.judging import OpenLexicons
from kiosk.shell.threads import Errands, Reported
from kiosk.slip import compose
from kiosk.texts import load_texts
from lexicon.practice import PRACTICE
from records.device_test import DeviceTest, Failure
from records.entry import Entry, Kind
from records.log import NotLogged, rows
from rules.rulebooks import Rulebook, RulebookError, load_rulebook, shipped_ids

if TYPE_CHECKING:
    from kiosk.shell.hall import ClockLine


def refused_settings(refused: RejectedSettings | None) -> Phrase | None:
    """Return why the machine's files are not in force, and what is instead; None: they are in force."""
    if refused is None:
        return None
    instead = "The last good settings are in force." if refused.last_good else "The defaults are in force."
    return in_a_row(refused.why.sentences, Phrase(instead), Phrase("Restart afterwards."))


def pins_missing(why: Diagnosis) -> Phrase:
    meanwhile = "Meanwhile the screen and the keyboard adjudicate; the PIN opens this desk, the key switch does not."
    cannot = Phrase("The board's pins cannot be opened: {why}", why=why.sentences)
    return in_a_row(cannot, Phrase("It is tried again every 5 s."), Phrase(meanwhile))


class StationConditions:
    """Changes of the station's newest context, ``context`` with ``advice`` at the start; the station decides when to take it over."""

    def __init__(self, context: StationContext, advice: Mapping[AdviceTopic, Phrase | None]) -> None:
        self._lexicon_trouble: Trouble | None = context.trouble
        self._log_trouble: Trouble | None = None
        self._sentences = {matter: said for matter, said in advice.items() if said is not None}
        begun = context.replace(advice=self.advice())
        self.newest: Callable[[], StationContext] = lambda: begun
        self._weak = 0

    def lexicon(self, found: Loaded | Trouble) -> SetContext:
        self._lexicon_trouble = found if isinstance(found, Trouble) else None
        return self.set() if isinstance(found, Trouble) else self.set(lexicon=found.name, spelling=found.spelling)

    def log(self, trouble: Trouble | None) -> SetContext | None:
        """Set why the log cannot be written (None: it can); return None if nothing has changed."""
        if trouble == self._log_trouble:
            return None
        self._log_trouble = trouble
        return self.set()

    def advise(self, sentence: Phrase | None, matter: AdviceTopic = AdviceTopic.LOG) -> SetContext | None:
        """Set the advice about ``matter`` for the director; return None if there is nothing new."""
        if sentence is None or self._sentences.get(matter) == sentence:
            return None
        self._sentences[matter] = sentence
        return self.set(advice=self.advice())

    def withdraw(self, matter: AdviceTopic) -> SetContext | None:
        """Remove the advice about ``matter``; return None if there was none."""
        if self._sentences.pop(matter, None) is None:
            return None
        advice = self.newest().advice
        return self.set(advice=self.advice(seen=advice is not None and advice.seen))

    def power(self, power: Power) -> SetContext | None:
        self._weak += power.low
        counted = Phrase("1 time") if self._weak == 1 else Phrase("{count} times", count=self._weak)
        said = in_a_row(Phrase("The voltage has been too low {times} since the start.", times=counted), full_stop(Phrase(REMEDY)))
        return self.advise(said, AdviceTopic.POWER) if power.low else None

    def advice_seen(self) -> SetContext | None:
        """Note that the director has opened the judge desk and seen the advice; return None if there is nothing new."""
        advice = self.newest().advice
        return None if advice is None or advice.seen else self.set(advice=advice.replace(seen=True))

    def advice(self, *, seen: bool = False) -> Advice | None:
        matters = [each for each in AdviceTopic if each in self._sentences]
        return Advice(in_a_row(*(self._sentences[each] for each in matters)), matters[0], seen) if matters else None

    def set(self, **changes: Any) -> SetContext:
        # The lexicon's trouble first: without a lexicon there is nothing to log.
        return SetContext(self.newest().replace(trouble=self._lexicon_trouble or self._log_trouble, **changes))


def wall_time_text(wall: str, texts: Texts, clock: str = "%H:%M:%S") -> str:
    """Return a wall time (ISO 8601) for readers with the time as ``clock`` (of strftime), or a note that the date was not set."""
    return texts.render(local_time(datetime.fromisoformat(wall), clock)) if is_dated(wall) else texts.say("wall.unset")


Usable: TypeAlias = Callable[[], Iterator[tuple[str, Rulebook]]]


def usable(named: Sequence[str]) -> Iterator[tuple[str, Rulebook]]:
    """Yield each rulebook of these ids and paths, and each shipped one, with what names it; the self-test reports unusable files."""
    for name in dict.fromkeys((*named, *shipped_ids())):
        with suppress(RulebookError):
            yield name, load_rulebook(name)


MEDIA: Final = Path("/media")
"""The mount point of removable media on Raspberry Pi OS: a folder for each user, and in it one for each stick."""


def exported(log: Path, folder: Path, media: Path = MEDIA) -> tuple[int, Path]:
    """Write the whole log to a new CSV file on a stick in ``media``, else in ``folder``, which is made if missing; return the number of rows and the file.

    Raises RecordError: the file cannot be written, or there is no log to read.
    """
    into = stick(media) or folder
    target = into / f"challenges-{datetime.now(UTC):%Y-%m-%dT%H-%M-%SZ}.csv"
    try:
        into.mkdir(parents=True, exist_ok=True)
        return export_csv(log, target), target
    except RecordError:
        raise
    except OSError as error:
        remedy = describe_io_error(error).remedy
        raise RecordError(where=into, expected="a folder that can be written to", found=reason(error), remedy=remedy) from error


def stick(media: Path) -> Path | None:
    try:
        mounted = sorted(each for pattern in ("*", "*/*") for each in media.glob(pattern) if each.is_mount())
    except OSError:
        return None
    return next((each for each in mounted if os.access(each, os.W_OK)), None)


class EffectHandler(Value, frozen=True):
    settings: Settings
    clocks: Clocks
    texts: Texts
    """In the station's own language."""
    record: LogRecorder
    open_lexicons: OpenLexicons
    conditions: StationConditions
    rulebooks: Usable
    choices: Choices
    loader: LexiconLoader
    errands: Errands[Reported]
    printer: SlipPrinter | None
    examine: Callable[[], tuple[SelfTestResult, ...]]
    """Runs all checks of the station, in an errand's thread."""
    power_off: PowerOff | None = None
    line: ClockLine | None = None

    def do(self, effect: Effect) -> tuple[Event, ...]:
        match effect:
            case Judge(entry):
                return self._judge(entry)
            case WriteEntry(entry):
                return self._write_entry(entry)
            case WriteVerdict(entry):
                return (self._commit(entry),)
            case Print():
                self._print(effect)
            case Propose() if self.line is not None:
                return (self.line.propose(effect),)
            case CallAtClock() if self.line is not None:
                self.line.call(effect)
            case _:
                return self._do_at_desk(effect)
        return ()

    def pins(self, why: Diagnosis | None) -> SetContext | None:
        """Set why the board's pins are unavailable (None: they are available); return the resulting event if that is new."""
        update = self.conditions.withdraw(AdviceTopic.PINS) if why is None else self.conditions.advise(pins_missing(why), AdviceTopic.PINS)
        if update is not None:
            said = "the board's pins are there" if why is None else f"the board's pins cannot be opened: {why}"
            self.record.write(Entry(Kind.SELF_TEST, why=said))
        return update

    def _judge(self, entry: Entry) -> tuple[Event, ...]:
        found = self.open_lexicons.judge(entry.lexicon, entry.words)
        if isinstance(found, Trouble):
            # The flow logs it. Only the station's own list closes the station.
            own = entry.lexicon == self.conditions.newest().lexicon
            return (CannotJudge(found), self.conditions.lexicon(found)) if own else (CannotJudge(found),)
        return (Judged(found, self._commit(replace(entry, acceptable=found)).row),)

    def _write_entry(self, entry: Entry) -> tuple[Event, ...]:
        self.record.write(entry)
        update = self.conditions.advice_seen() if entry.kind is Kind.DOOR_OPENED else None
        return () if update is None else (update,)

    def _commit(self, entry: Entry) -> VerdictWritten:
        try:
            return VerdictWritten(self.record.commit(entry))
        except NotLogged as error:
            return VerdictWritten(None, error.sentences)

    def _print(self, wanted: Print) -> None:
        if self.printer is not None:
            texts = load_texts(wanted.language)
            name, time = self.conditions.newest().name, wall_time_text(self.clocks.wall(), texts, "%H:%M")
            self.printer.print_slip(compose(wanted, name, time, texts, self.settings.printer.width))

    def _do_at_desk(self, effect: Effect) -> tuple[Event, ...]:
        match effect:
            case LookForLexicons():
                self.errands.run("list", self._look, self._failed)
                # Not with the list, whose search may have begun before a change of lexicon and arrive after it.
                return (JudgeDeskAnswer(Facts(in_use=self._in_use())),)
            case Use(LexiconFile(path)):
                self.loader.fetch(Path(path))
            case LookForRulebooks():
                return (JudgeDeskAnswer(Facts(rulebooks=tuple(RulebookChoice(each.id, each.title) for _, each in self.rulebooks()))),)
            case Use(RulebookChoice(wanted)):
                return self._use_rulebook(wanted)
            case Rename(name):
                return self._rename(name)
            case ReadLog(before, wanted):
                return (self._page(before, wanted),)
            case ExportLog():
                self.errands.run("export", self._export, self._failed)
            case SwitchOff():
                return self._switch_off()
            case TestYourself(touches):
                self.errands.run("self-test", partial(self._test, touches), self._not_tested)
        return ()

    def fetched(self, fetched: Fetched) -> tuple[Event, ...]:
        """Apply the loader's result, a valid list or a trouble. If a newly chosen file is unusable, the old one stays in use."""
        found = fetched.found
        if isinstance(found, Loaded):
            return self._use(fetched, found)
        self.record.write(Entry(Kind.REFUSED, why=str(found.what)))
        answers = (self._why_not(found.what),) if fetched.requested else ()
        return (*answers, self.conditions.lexicon(found)) if fetched.in_use else answers

    def _use(self, fetched: Fetched, loaded: Loaded) -> tuple[Event, ...]:
        before = self.conditions.newest()
        self.open_lexicons.add(loaded)
        update = self.conditions.lexicon(loaded)
        # Compare names and troubles as shown, because a reread alphabet is another object.
        same = (update.context.lexicon, update.context.trouble) == (before.lexicon, before.trouble)
        if same and not fetched.requested:
            return ()
        name = loaded.name
        self.record.write(Entry(Kind.CHANGED, lexicon=name, why=f"lexicon: {fetched.path}"))
        if not fetched.requested:
            return (update,)
        problem = self.choices.store("lexicon", str(fetched.path))
        in_use = JudgeDeskAnswer(Facts(in_use=self._in_use()))
        return update, in_use, self._result("result.lexicon", problem, name=f"{name.name} {name.edition}".strip(), hash=name.short_hash)

    def _use_rulebook(self, wanted: str) -> tuple[Event, ...]:
        found = next((each for each in self.rulebooks() if each[1].id == wanted), None)
        if found is None:
            return (self._said("result.no_rulebook", done=False, name=wanted),)
        name, rulebook = found
        self.record.write(Entry(Kind.CHANGED, rulebook=rulebook.id, why=f"rulebook: {name}"))
        return self.conditions.set(rulebook=rulebook), self._result(
            "result.rulebook", self.choices.store("rulebook", name), name=rulebook.title
        )

    def _rename(self, name: str) -> tuple[Event, ...]:
        self.record.write(Entry(Kind.CHANGED, why=f"name: {name}"))
        self.record.station = name
        return self.conditions.set(name=name), self._result("result.name", self.choices.store("name", name), name=name)

    def _switch_off(self) -> tuple[Event, ...]:
        if self.power_off is None:
            return ()
        try:
            self.power_off.ask()
        except PowerOffError as error:
            return (self._why_not(error),)
        self.record.write(Entry(Kind.CHANGED, why="the machine is switched off"))
        return (self._said("result.switched_off", done=True),)

    def _said(self, key: str, *, done: bool, **values: object) -> JudgeDeskAnswer:
        return JudgeDeskAnswer(Facts(result=self.texts.say(key, **values), done=done))

    def _result(self, key: str, problem: Phrase | None, **values: str) -> JudgeDeskAnswer:
        after = "" if problem is None else f" {self.texts.say('result.not_kept', why=problem)}"
        return JudgeDeskAnswer(Facts(result=self.texts.say(key, **values) + after, done=problem is None))

    def _why_not(self, found: Diagnosis | TileclockError) -> JudgeDeskAnswer:
        return JudgeDeskAnswer(Facts(result=self.texts.render(found.sentences), done=False))

    def _in_use(self) -> str:
        return str(Path(self.choices.in_force["lexicon"]))

    def _look(self) -> Reported:
        found = listing(Path(self.settings.lexicon.folder), (Path(self.choices.in_force["lexicon"]), PRACTICE), self.loader.wanted)
        return Reported(JudgeDeskAnswer(Facts(lexicons=found)))

    def _page(self, before: int | None, wanted: int) -> Event:
        try:
            found = rows(Path(self.settings.log.path), before, wanted + 1)
        except RecordError as error:
            return self._why_not(error)
        lines = tuple(LogLine(stored.seq, wall_time_text(stored.row.wall, self.texts), readable(stored)) for stored in found[:wanted])
        return JudgeDeskAnswer(Facts(log=LogPage(lines, before, older=len(found) > wanted)))

    def _export(self) -> Reported:
        try:
            count, path = exported(Path(self.settings.log.path), Path(self.settings.log.export))
        except RecordError as error:
            return Reported(self._why_not(error))
        return Reported(
            self._said("result.exported", done=True, rows=count, path=path), Entry(Kind.EXPORTED, why=f"{count} rows to {path}")
        )

    def _test(self, touches: tuple[bool, ...]) -> Reported:
        findings = self.examine()
        tested = _guided(findings, touches) if touches else None
        said = tested.words if tested is not None else "; ".join(finding.what for finding in findings if not finding.fine)
        touched = (SelfTestResult(as_phrase(self.texts.say("desk.touch.found", count=sum(touches))), fine=all(touches)),) if touches else ()
        entry = Entry(Kind.SELF_TEST, why=said or "nothing failed", device_test=tested)
        # What is wrong first: it may stand on another page.
        shown = tuple(sorted((*touched, *findings), key=lambda each: each.fine))
        return Reported(JudgeDeskAnswer(Facts(findings=shown)), entry)

    def _failed(self, why: str) -> Reported:
        return Reported(self._said("result.failed", done=False, why=why))

    def _not_tested(self, why: str) -> Reported:
        found = SelfTestResult(as_phrase(self.texts.say("result.failed", why=why)), fine=False)
        return Reported(JudgeDeskAnswer(Facts(findings=(found,))), Entry(Kind.SELF_TEST, why=why))


_POINTS: Final = ("upper left", "upper right", "middle", "lower left", "lower right")


def _guided(findings: Sequence[SelfTestResult], touches: tuple[bool, ...]) -> DeviceTest:
    missed = (each for each, answers in zip(_POINTS, touches, strict=True) if not answers)
    touch = (Failure(f"touch, {each}", "it does not answer", "Clean the screen, and check its cable.") for each in missed)
    values = ({"name": "self-test", "found": each.what, **each.what.values} for each in findings if not each.fine)
    bad = (Failure(str(each["name"]), str(each["found"]), "") for each in values)
    return DeviceTest(len(touches) + len(findings), (*touch, *bad))
