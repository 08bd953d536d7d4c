"""The log at the desk, for the director only: time, table, kind, words, and the play's verdict. It does not say which word failed."""

from __future__ import annotations

from appliance.texts import Texts
from game.challenge_log.entry import Entry
from kiosk.director.facts import LogLine, LogPage
from kiosk.face.desk_parts import DeskView, desk_page, turn
from kiosk.face.page import ListRow, Page, Target
from kiosk.face.targets import SEPARATOR


def log_page(view: DeskView) -> Page:
    """Return the visible rows, newest first."""
    log, texts = view.desk.facts.log, view.texts
    return desk_page(
        "desk.log",
        texts.say("desk.log.title"),
        view,
        lines=_lines(log, texts),
        rows=tuple(_row(line, texts) for line in log.lines) if log is not None else (),
        actions=_turns(view),
        notice=view.desk.facts.result,
        success=bool(view.desk.facts.done),
    )


def _lines(log: LogPage | None, texts: Texts) -> tuple[str, ...]:
    if log is None:
        return (texts.say("desk.looking"),)
    return () if log.lines else (texts.say("desk.log.none"),)


def _turns(view: DeskView) -> tuple[Target, ...]:
    """Return the targets that turn the page: newer rows are further up."""
    log = view.desk.facts.log
    newer = (turn(-1, view.texts.say("desk.log.newer")),) if len(view.desk.befores) > 1 else ()
    older = (turn(1, view.texts.say("desk.log.older")),) if log is not None and log.older else ()
    return newer + older


def _row(line: LogLine, texts: Texts) -> ListRow:
    entry = line.entry
    what = texts.say(f"desk.kind.{entry.kind}")
    if entry.table is not None:
        what = SEPARATOR.join((texts.say("desk.log.table", table=entry.table), what))
    return ListRow(texts.say("desk.log.row", row=line.row, when=line.when, what=what), SEPARATOR.join(_details(entry, texts)))


def _details(entry: Entry, texts: Texts) -> list[str]:
    verdict = None if entry.acceptable is None else texts.say("verdict.acceptable" if entry.acceptable else "verdict.unacceptable")
    first = None if entry.first is None else texts.say("desk.log.first", first=entry.first)
    return [each for each in (" ".join(entry.words), verdict, first, texts.render(entry.why or "")) if each]
