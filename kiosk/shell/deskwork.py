"""What the director's desk asks for, done: lists looked for, lexicon, rulebook and name taken and kept, the log read and exported, the self-test run.

What may take a while goes to the errands or the librarian, and comes back through the inbox; the rest is answered at once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from appliance.errors import Diagnosis, PowerOffError, TileclockError
from appliance.phrase import as_phrase
from appliance.service.poweroff import PowerOff
from appliance.texts import Texts
from kiosk.challenge.entry import Entry, Kind
from kiosk.director import effects
from kiosk.director.events import Told
from kiosk.director.facts import Facts, Finding, LexiconFile, LogLine, LogPage
from kiosk.events import Event
from kiosk.lexicons.librarian import Fetched, Librarian
from kiosk.lexicons.listing import listing
from kiosk.lexicons.shelf import Loaded
from kiosk.log.errors import LogError
from kiosk.log.export import readable
from kiosk.log.reading import rows
from kiosk.shell.books import Books
from kiosk.shell.catalogue import Catalogue
from kiosk.shell.choices import Choices
from kiosk.shell.conditions import StationConditions
from kiosk.shell.errands import Errand, Errands
from kiosk.shell.exporting import exported
from kiosk.shell.inputs import Reported
from kiosk.shell.record import Record
from kiosk.shell.wall_time import wall_time_text
from lexicon.practice import PRACTICE


@dataclass(frozen=True, slots=True)
class Places:
    """Where the desk looks."""

    log: Path
    export: Path
    lexicons: Path


@dataclass(frozen=True, slots=True)
class DeskWork:
    """Does what the desk asks."""

    places: Places
    texts: Texts
    """Of the language that the station goes back to."""
    record: Record
    books: Books
    ground: StationConditions
    catalogue: Catalogue
    choices: Choices
    librarian: Librarian
    errands: Errands[Reported]
    examine: Callable[[], tuple[Finding, ...]]
    """Looks at everything the station needs; in an errand's thread."""
    power_off: PowerOff | None = None
    """How the machine is switched off; None: nobody does it."""

    def do(self, effect: object) -> tuple[Event, ...]:
        """Do what ``effect`` asks, and return what can be answered at once."""
        match effect:
            case effects.LookForLexicons():
                self.errands.run(Errand("list", self._look, self._failed))
                # Not with the list: what was looked for before a file was taken may arrive after it.
                return (Told(Facts(in_use=self._in_use())),)
            case effects.UseLexicon(path):
                self.librarian.fetch(Path(path))
            case effects.LookForRulebooks():
                return (Told(Facts(rulebooks=self.catalogue.choices())),)
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
        """Take what the librarian found: a sound list, or a trouble. Another file that was asked for and is none leaves all as it is."""
        found = fetched.found
        if isinstance(found, Loaded):
            return self._take(fetched, found)
        self.record.keep(Entry(Kind.REFUSED, why=str(found.what)))
        told = (self._why_not(found.what),) if fetched.asked else ()
        return (*told, self.ground.lexicon(found)) if fetched.in_use else told

    def _take(self, fetched: Fetched, loaded: Loaded) -> tuple[Event, ...]:
        before = self.ground.standing
        self.books.add(loaded)
        stand = self.ground.lexicon(loaded)
        # By what the log and the screen say of it: an alphabet that was read anew is another object.
        same = (stand.standing.lexicon, stand.standing.trouble) == (before.lexicon, before.trouble)
        if same and not fetched.asked:
            return ()
        name = loaded.name
        self.record.keep(Entry(Kind.CHANGED, lexicon=name, why=f"lexicon: {fetched.path}"))
        if not fetched.asked:
            return (stand,)
        kept = self.choices.keep("lexicon", str(fetched.path))
        in_use = Told(Facts(in_use=self._in_use()))
        return stand, in_use, self._said("told.lexicon", kept, name=f"{name.name} {name.edition}".strip(), hash=name.short_hash)

    def _use_rulebook(self, wanted: str) -> tuple[Event, ...]:
        found = self.catalogue.find(wanted)
        if found is None:
            return (Told(Facts(said=self.texts.say("told.no_rulebook", name=wanted))),)
        name, rulebook = found
        self.record.keep(Entry(Kind.CHANGED, rulebook=rulebook.id, why=f"rulebook: {name}"))
        kept = self.choices.keep("rulebook", name)
        return self.ground.rulebook(rulebook), self._said("told.rulebook", kept, name=rulebook.title)

    def _rename(self, name: str) -> tuple[Event, ...]:
        self.record.keep(Entry(Kind.CHANGED, why=f"name: {name}"))
        self.record.station = name
        kept = self.choices.keep("name", name)
        return self.ground.name(name), self._said("told.name", kept, name=name)

    def _switch_off(self) -> tuple[Event, ...]:
        if self.power_off is None:
            return ()
        try:
            self.power_off.ask()
        except PowerOffError as error:
            return (self._why_not(error),)
        self.record.keep(Entry(Kind.CHANGED, why="the machine is switched off"))
        return (Told(Facts(said=self.texts.say("told.switched_off"))),)

    def _said(self, key: str, not_kept: str | None, **values: str) -> Told:
        """What came of a wish; where it will not outlive the program, that too."""
        after = "" if not_kept is None else f" {self.texts.say('told.not_kept', why=not_kept)}"
        return Told(Facts(said=self.texts.say(key, **values) + after))

    def _why_not(self, found: Diagnosis | TileclockError) -> Told:
        return Told(Facts(said=self.texts.render(found.sentences)))

    def _in_use(self) -> str:
        return str(Path(self.choices.in_force["lexicon"]))

    def _look(self) -> Reported:
        found = listing(self.places.lexicons, (Path(self.choices.in_force["lexicon"]), PRACTICE), self.librarian.wanted)
        return Reported(Told(Facts(lexicons=tuple(LexiconFile(str(each.path), each.name, each.fault) for each in found))))

    def _page(self, before: int | None, wanted: int) -> Event:
        try:
            found = rows(self.places.log, before, wanted + 1)
        except LogError as error:
            return self._why_not(error)
        lines = tuple(LogLine(kept.seq, wall_time_text(kept.row.stamp.wall, self.texts), readable(kept)) for kept in found[:wanted])
        return Told(Facts(log=LogPage(lines, before, older=len(found) > wanted)))

    def _export(self) -> Reported:
        try:
            count, path = exported(self.places.log, self.places.export)
        except LogError as error:
            return Reported(self._why_not(error))
        said = self.texts.say("told.exported", rows=count, path=path)
        return Reported(Told(Facts(said=said)), Entry(Kind.EXPORTED, why=f"{count} rows to {path}"))

    def _test(self) -> Reported:
        findings = self.examine()
        bad = [finding.what for finding in findings if not finding.fine]
        return Reported(Told(Facts(findings=findings)), Entry(Kind.SELF_TEST, why="; ".join(bad) or "nothing failed"))

    def _failed(self, why: str) -> Reported:
        return Reported(Told(Facts(said=self.texts.say("told.failed", why=why))))

    def _not_tested(self, why: str) -> Reported:
        what = as_phrase(self.texts.say("told.failed", why=why))
        return Reported(Told(Facts(findings=(Finding(what, fine=False),))), Entry(Kind.SELF_TEST, why=what))
