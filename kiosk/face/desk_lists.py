"""The desk's lists: lexicons, rulebooks, findings of the self-test, waiting second opinions. A page shows a few rows, and their total number."""

from __future__ import annotations

from pathlib import PurePath
from types import MappingProxyType

from appliance.texts import Texts
from kiosk.director import events
from kiosk.director.facts import LexiconFile, RulebookChoice, SelfTestResult
from kiosk.director.in_force import in_force
from kiosk.director.opinion import Opinion
from kiosk.face.desk_parts import DeskView, desk_page, in_sight, pending, turns, with_part
from kiosk.face.footer import thousands
from kiosk.face.page import Icon, ListRow, Page, Target, Tone
from kiosk.face.targets import SEPARATOR


def lexicons_page(view: DeskView) -> Page:
    """Return the page of lexicon files: the content of each, or why it is unusable."""
    say, files = view.texts.say, view.desk.facts.lexicons
    lines = (say("desk.lexicons.how"),) if files else (say("desk.looking" if files is None else "desk.lexicons.none"),)
    rows = tuple(_file(file, index, view) for index, file in enumerate(in_sight(files or (), view.desk.first), view.desk.first))
    return _list(view, "lexicons", len(files or ()), lines, rows)


def _file(file: LexiconFile, index: int, view: DeskView) -> ListRow:
    say, name = view.texts.say, file.name
    if name is None:
        # It can be chosen even so: the shell verifies it again, and it may have been repaired.
        bad = Target(f"lexicon.{index}", file.path, events.ChooseLexicon(file.path), Icon.WARNING, Tone.WARNING)
        return ListRow(file.path, view.texts.render(file.why or ""), bad)
    in_use = in_force(file, view.desk.facts, view.context)
    words = say("desk.lexicons.words", count=thousands(name.words, view.texts), hash=name.short_hash)
    marks = [say("desk.in_force")] * in_use + [PurePath(file.path).name, words] + [say("practice.across")] * name.practice
    text = SEPARATOR.join(filter(None, (name.name, name.edition)))
    if file.why is not None:
        # A valid list that does not suit this station says so before it is chosen; the confirmation shows the whole reason.
        not_here = (say("desk.lexicons.unusable"), say("desk.lexicons.alphabet", alphabet=name.alphabet), PurePath(file.path).name, words)
        return ListRow(
            text, SEPARATOR.join(not_here), Target(f"lexicon.{index}", text, events.ChooseLexicon(file.path), Icon.WARNING, Tone.WARNING)
        )
    icon = Icon.TICK if in_use else None
    return ListRow(text, SEPARATOR.join(marks), Target(f"lexicon.{index}", text, events.ChooseLexicon(file.path), icon))


def rulebooks_page(view: DeskView) -> Page:
    """Return the page of rulebooks."""
    choices = view.desk.facts.rulebooks
    lines = (view.texts.say("desk.looking"),) if choices is None else ()
    rows = tuple(_choice(choice, view) for choice in in_sight(choices or (), view.desk.first))
    return _list(view, "rulebooks", len(choices or ()), lines, rows)


def _choice(choice: RulebookChoice, view: DeskView) -> ListRow:
    in_use = in_force(choice, view.desk.facts, view.context)
    icon = Icon.TICK if in_use else None
    detail = SEPARATOR.join([choice.id] + [view.texts.say("desk.in_force")] * in_use)
    title = view.texts.render(choice.title)
    return ListRow(title, detail, Target(f"rulebook.{choice.id}", title, events.ChooseRulebook(choice.id), icon))


def _list(view: DeskView, name: str, count: int, lines: tuple[str, ...], rows: tuple[ListRow, ...]) -> Page:
    return desk_page(
        f"desk.{name}",
        with_part(view.texts.say(f"desk.{name}.title"), view.desk.first, count, view.texts),
        view,
        # The result of a choice matters more than instructions, and a small screen lacks room for both.
        lines=(
            *(lines if view.desk.facts.result is None or not rows else ()),
            *(pending(view) if view.desk.facts.result is None else ()),
        ),
        rows=rows,
        actions=turns(view.desk.first, count, view.texts),
        notice=view.desk.facts.result,
        success=bool(view.desk.facts.done),
    )


def self_test_page(view: DeskView) -> Page:
    """Return the page of the self-test's findings."""
    say, findings, first = view.texts.say, view.desk.facts.findings, view.desk.first
    again = Target("again", say("desk.self_test.again"), events.SelfTestAgain(), Icon.REPEAT)
    return desk_page(
        "desk.self_test",
        with_part(say("desk.self_test.title"), first, len(findings or ()), view.texts),
        view,
        lines=(say("desk.looking"),) if findings is None else (),
        rows=tuple(_finding(finding, view.texts) for finding in in_sight(findings or (), first)),
        actions=(*turns(first, len(findings or ()), view.texts), again),
    )


def _finding(finding: SelfTestResult, texts: Texts) -> ListRow:
    return ListRow(texts.say("desk.self_test.fine" if finding.fine else "desk.self_test.wrong"), texts.render(finding.what))


def judges_page(view: DeskView) -> Page:
    """Return the page on which a word judge starts: with an empty slip, or with one that players wrote at the station."""
    say, first = view.texts.say, view.desk.first
    new = Target("slip.new", say("judge.new"), events.NewSlip(), Icon.PLUS, Tone.MAIN)
    return desk_page(
        "judge.start",
        with_part(say("judge.title"), first, len(view.opinions), view.texts),
        view,
        lines=(say("judge.how"),),
        rows=tuple(_opinion(opinion, view.texts) for opinion in in_sight(view.opinions, first)),
        actions=(new, *turns(first, len(view.opinions), view.texts)),
        named=MappingProxyType({"return": new.event}),
    )


def _opinion(opinion: Opinion, texts: Texts) -> ListRow:
    text = texts.say("judge.unsettled" if opinion.rulings else "judge.asked", table=opinion.table)
    take = Target(f"opinion.{opinion.table}", text, events.TakeOpinion(opinion.table))
    return ListRow(text, texts.say("judge.words", count=len(opinion.words)), take)
