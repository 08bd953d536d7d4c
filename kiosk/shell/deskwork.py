"""The desk's requests: list lexicons, change and store lexicon, rulebook and name, read and export the log, run the self-test.

Slow requests go to the errands' threads or the librarian, and their results come through the inbox; the others are answered at once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from appliance.errors import Diagnosis, PowerOffError
from appliance.service.poweroff import PowerOff
from appliance.texts import Texts
from faults.errors import Phrase, TileclockError, as_phrase
from game.challenge_log.entry import Entry, Kind
from game.challenge_log.reading import rows
from game.challenge_log.row import LogError
from kiosk.director import effects
from kiosk.director.events import DeskAnswer
from kiosk.director.facts import Facts, LexiconFile, LogLine, LogPage, SelfTestResult
from kiosk.events import Event
from kiosk.lexicons.librarian import Fetched, Librarian
from kiosk.lexicons.listing import listing
from kiosk.lexicons.shelf import Loaded
from kiosk.log.export import readable
from kiosk.shell.books import Books
from kiosk.shell.catalogue import Catalogue
from kiosk.shell.choices import Choices
from kiosk.shell.conditions import StationConditions
from kiosk.shell.errands import Errand, Errands
from kiosk.shell.exporting import exported
from kiosk.shell.inputs import Reported
from kiosk.shell.record import LogRecorder
from kiosk.shell.wall_time import wall_time_text
from lexicon.practice import PRACTICE


@dataclass(frozen=True, slots=True)
class Places:
    """The desk's files and folders."""

    log: Path
    export: Path
    lexicons: Path


@dataclass(frozen=True, slots=True)
class DeskWork:
    """Carries out the desk's requests."""

    places: Places
    texts: Texts
    """In the station's own language."""
    record: LogRecorder
    books: Books
    conditions: StationConditions
    catalogue: Catalogue
    choices: Choices
    librarian: Librarian
    errands: Errands[Reported]
    examine: Callable[[], tuple[SelfTestResult, ...]]
    """Runs all checks of the station, in an errand's thread."""
    power_off: PowerOff | None = None
    """Switches the machine off; None: not available."""

    def do(self, effect: object) -> tuple[Event, ...]:
        """Carry out ``effect``, and return the immediate answers."""
        match effect:
            case effects.LookForLexicons():
                self.errands.run(Errand("list", self._look, self._failed))
                # Not with the list, whose search may have begun before a change of lexicon and arrive after it.
                return (DeskAnswer(Facts(in_use=self._in_use())),)
            case effects.UseLexicon(path):
                self.librarian.fetch(Path(path))
            case effects.LookForRulebooks():
                return (DeskAnswer(Facts(rulebooks=self.catalogue.choices())),)
            case effects.UseRulebook(wanted):
                return self._use_rulebook(wanted)
            case effects.Rename(name):
                return self._rename(name)
            case effects.ReadLog(before, wanted):
                return (self._page(before, wanted),)
            case effects.ExportLog():
                self.errands.run(Errand("export", self._export, self._failed))
            case effects.SwitchOff():
                return self._switch_off()
            case effects.TestYourself():
                self.errands.run(Errand("self-test", self._test, self._not_tested))
        return ()

    def fetched(self, fetched: Fetched) -> tuple[Event, ...]:
        """Apply the librarian's result, a valid list or a trouble. If a newly chosen file is unusable, the old one stays in use."""
        found = fetched.found
        if isinstance(found, Loaded):
            return self._take(fetched, found)
        self.record.write(Entry(Kind.REFUSED, why=str(found.what)))
        answers = (self._why_not(found.what),) if fetched.requested else ()
        return (*answers, self.conditions.lexicon(found)) if fetched.in_use else answers

    def _take(self, fetched: Fetched, loaded: Loaded) -> tuple[Event, ...]:
        before = self.conditions.context
        self.books.add(loaded)
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
        in_use = DeskAnswer(Facts(in_use=self._in_use()))
        return update, in_use, self._result("told.lexicon", problem, name=f"{name.name} {name.edition}".strip(), hash=name.short_hash)

    def _use_rulebook(self, wanted: str) -> tuple[Event, ...]:
        found = self.catalogue.find(wanted)
        if found is None:
            return (DeskAnswer(Facts(result=self.texts.say("told.no_rulebook", name=wanted), done=False)),)
        name, rulebook = found
        self.record.write(Entry(Kind.CHANGED, rulebook=rulebook.id, why=f"rulebook: {name}"))
        problem = self.choices.store("rulebook", name)
        return self.conditions.rulebook(rulebook), self._result("told.rulebook", problem, name=rulebook.title)

    def _rename(self, name: str) -> tuple[Event, ...]:
        self.record.write(Entry(Kind.CHANGED, why=f"name: {name}"))
        self.record.station = name
        problem = self.choices.store("name", name)
        return self.conditions.name(name), self._result("told.name", problem, name=name)

    def _switch_off(self) -> tuple[Event, ...]:
        if self.power_off is None:
            return ()
        try:
            self.power_off.ask()
        except PowerOffError as error:
            return (self._why_not(error),)
        self.record.write(Entry(Kind.CHANGED, why="the machine is switched off"))
        return (DeskAnswer(Facts(result=self.texts.say("told.switched_off"), done=True)),)

    def _result(self, key: str, problem: Phrase | None, **values: str) -> DeskAnswer:
        """Return the result of a request, with a warning if the choice is not stored for the next start."""
        after = "" if problem is None else f" {self.texts.say('told.not_kept', why=problem)}"
        return DeskAnswer(Facts(result=self.texts.say(key, **values) + after, done=problem is None))

    def _why_not(self, found: Diagnosis | TileclockError) -> DeskAnswer:
        return DeskAnswer(Facts(result=self.texts.render(found.sentences), done=False))

    def _in_use(self) -> str:
        return str(Path(self.choices.in_force["lexicon"]))

    def _look(self) -> Reported:
        found = listing(self.places.lexicons, (Path(self.choices.in_force["lexicon"]), PRACTICE), self.librarian.wanted)
        return Reported(DeskAnswer(Facts(lexicons=tuple(LexiconFile(str(each.path), each.name, each.fault) for each in found))))

    def _page(self, before: int | None, wanted: int) -> Event:
        try:
            found = rows(self.places.log, before, wanted + 1)
        except LogError as error:
            return self._why_not(error)
        lines = tuple(LogLine(stored.seq, wall_time_text(stored.row.stamp.wall, self.texts), readable(stored)) for stored in found[:wanted])
        return DeskAnswer(Facts(log=LogPage(lines, before, older=len(found) > wanted)))

    def _export(self) -> Reported:
        try:
            count, path = exported(self.places.log, self.places.export)
        except LogError as error:
            return Reported(self._why_not(error))
        result = self.texts.say("told.exported", rows=count, path=path)
        return Reported(DeskAnswer(Facts(result=result, done=True)), Entry(Kind.EXPORTED, why=f"{count} rows to {path}"))

    def _test(self) -> Reported:
        findings = self.examine()
        bad = [finding.what for finding in findings if not finding.fine]
        return Reported(DeskAnswer(Facts(findings=findings)), Entry(Kind.SELF_TEST, why="; ".join(bad) or "nothing failed"))

    def _failed(self, why: str) -> Reported:
        return Reported(DeskAnswer(Facts(result=self.texts.say("told.failed", why=why), done=False)))

    def _not_tested(self, why: str) -> Reported:
        what = as_phrase(self.texts.say("told.failed", why=why))
        return Reported(DeskAnswer(Facts(findings=(SelfTestResult(what, fine=False),))), Entry(Kind.SELF_TEST, why=why))
