"""Pages of the judge desk: the menu, the station's name, confirmations; lists of lexicons, rulebooks, findings and waiting opinions; the log.

A list shows a few rows and their total number, and a touch on it alone changes nothing. The log does not say which word failed. Then the
pages of a manual adjudication: writing the slip, reading it back, who judges, the verdict, the valid ruling.
"""

from collections.abc import Callable
from pathlib import PurePath
from types import MappingProxyType
from typing import Final

from appliance.texts import Texts
from kiosk import events
from kiosk.challenge.flow import Flow, Step
from kiosk.context import LexiconFile, LogLine, RulebookChoice
from kiosk.director.judge_desk import POINTS, in_force
from kiosk.director.word_judge import TYPING, Adjudication, Opinion, Ruling, Seat, Stage, differ
from kiosk.face.page import (
    LATIN,
    SEPARATOR,
    TYPED,
    Icon,
    JudgeDeskView,
    ListRow,
    Page,
    Target,
    Tone,
    footer,
    in_sight,
    judge_desk_page,
    keys,
    letters,
    on,
    pending,
    table_label,
    thousands,
    turn,
    turns,
    with_own_keys,
    with_part,
)
from kiosk.face.players import asking_page, word_lines, words_page
from kiosk.face.verdict import by_role, last_play, verdict_banner
from records.entry import Entry, LexiconName
from rules.duration import reading
from rules.side import BySide


def confirm_page(view: JudgeDeskView, wanted: LexiconFile | RulebookChoice) -> Page:
    say, kind = view.texts.say, "lexicon" if isinstance(wanted, LexiconFile) else "rulebook"
    now = _lexicon_now(view) if isinstance(wanted, LexiconFile) else _rulebook_now(view)
    take = Target("take", say("desk.confirm.take"), events.Confirm(), Icon.TICK, Tone.MAIN)
    return judge_desk_page(
        "desk.confirm",
        say(f"desk.confirm.{kind}"),
        view,
        lines=(say("desk.confirm.now", what=now), say("desk.confirm.instead", what=_label(wanted, view)), *pending(view)),
        # It can be confirmed even so: the shell verifies it again, and it or the settings may have been repaired.
        notice=view.texts.render(wanted.why) if isinstance(wanted, LexiconFile) and wanted.why else None,
        actions=(take,),
        named=MappingProxyType({"return": take.event}),
    )


def _lexicon_now(view: JudgeDeskView) -> str:
    in_use, files = view.context.lexicon, view.judge_desk.facts.lexicons or ()
    file = next((file for file in files if in_force(file, view.judge_desk.facts, view.context)), None)
    if file is not None:
        return _label(file, view)
    return view.texts.say("desk.confirm.none") if in_use is None else _lexicon_list(in_use, view)


def _rulebook_now(view: JudgeDeskView) -> str:
    in_use, choices = view.context.rulebook.id, view.judge_desk.facts.rulebooks or ()
    return next((_label(choice, view) for choice in choices if choice.id == in_use), in_use)


def _label(choice: LexiconFile | RulebookChoice, view: JudgeDeskView) -> str:
    if isinstance(choice, RulebookChoice):
        return SEPARATOR.join((choice.title, choice.id))
    # With the whole path, because files in two folders may have the same name.
    return choice.id if choice.name is None else SEPARATOR.join((_lexicon_list(choice.name, view), choice.id))


def _lexicon_list(name: LexiconName, view: JudgeDeskView) -> str:
    words = view.texts.say("desk.lexicons.words", count=thousands(name.words, view.texts), hash=name.short_hash)
    return SEPARATOR.join(filter(None, (name.name, name.edition, words)))


def lexicons_page(view: JudgeDeskView) -> Page:
    say, files = view.texts.say, view.judge_desk.facts.lexicons
    lines = (say("desk.lexicons.how"),) if files else (say("desk.looking" if files is None else "desk.lexicons.none"),)
    rows = tuple(_file(file, index, view) for index, file in enumerate(in_sight(files or (), view.judge_desk.first), view.judge_desk.first))
    return _list(view, "lexicons", len(files or ()), lines, rows)


def _file(file: LexiconFile, index: int, view: JudgeDeskView) -> ListRow:
    say, name = view.texts.say, file.name
    if name is None:
        # It can be chosen even so: the shell verifies it again, and it may have been repaired.
        bad = Target(f"lexicon.{index}", file.id, events.Choose(file.id), Icon.WARNING, Tone.WARNING)
        return ListRow(file.id, view.texts.render(file.why or ""), bad)
    in_use = in_force(file, view.judge_desk.facts, view.context)
    words = say("desk.lexicons.words", count=thousands(name.words, view.texts), hash=name.short_hash)
    marks = [say("desk.in_force")] * in_use + [PurePath(file.id).name, words] + [say("practice.across")] * name.practice
    text = SEPARATOR.join(filter(None, (name.name, name.edition)))
    if file.why is not None:
        # A valid list that does not suit this station says so before it is chosen; the confirmation shows the whole reason.
        not_here = (say("desk.lexicons.unusable"), say("desk.lexicons.alphabet", alphabet=name.alphabet), PurePath(file.id).name, words)
        return ListRow(text, SEPARATOR.join(not_here), Target(f"lexicon.{index}", text, events.Choose(file.id), Icon.WARNING, Tone.WARNING))
    icon = Icon.TICK if in_use else None
    return ListRow(text, SEPARATOR.join(marks), Target(f"lexicon.{index}", text, events.Choose(file.id), icon))


def rulebooks_page(view: JudgeDeskView) -> Page:
    choices = view.judge_desk.facts.rulebooks
    lines = (view.texts.say("desk.looking"),) if choices is None else ()
    rows = tuple(_choice(choice, view) for choice in in_sight(choices or (), view.judge_desk.first))
    return _list(view, "rulebooks", len(choices or ()), lines, rows)


def _choice(choice: RulebookChoice, view: JudgeDeskView) -> ListRow:
    in_use = in_force(choice, view.judge_desk.facts, view.context)
    icon = Icon.TICK if in_use else None
    detail = SEPARATOR.join([choice.id] + [view.texts.say("desk.in_force")] * in_use)
    title = view.texts.render(choice.title)
    return ListRow(title, detail, Target(f"rulebook.{choice.id}", title, events.Choose(choice.id), icon))


def _list(view: JudgeDeskView, name: str, count: int, lines: tuple[str, ...], rows: tuple[ListRow, ...]) -> Page:
    return judge_desk_page(
        f"desk.{name}",
        with_part(view.texts.say(f"desk.{name}.title"), view.judge_desk.first, count, view.texts),
        view,
        lines=(*lines, *pending(view)),
        rows=rows,
        actions=turns(view.judge_desk.first, count, view.texts),
        notice=view.judge_desk.facts.result,
        success=bool(view.judge_desk.facts.done),
    )


def self_test_page(view: JudgeDeskView) -> Page:
    say, findings, first = view.texts.say, view.judge_desk.facts.findings, view.judge_desk.first
    if view.judge_desk.touches is not None:
        return _touch_page(view, len(view.judge_desk.touches))
    touch = Target("touch", say("desk.touch.begin"), events.Begin(), Icon.PLUS)
    again = Target("again", say("desk.self_test.again"), events.Confirm(), Icon.REPEAT)
    return judge_desk_page(
        "desk.self_test",
        with_part(say("desk.self_test.title"), first, len(findings or ()), view.texts),
        view,
        lines=(say("desk.looking"),) if findings is None else (),
        rows=tuple(
            ListRow(say("desk.self_test.fine" if finding.fine else "desk.self_test.wrong"), view.texts.render(finding.what))
            for finding in in_sight(findings or (), first)
        ),
        actions=(*turns(first, len(findings or ()), view.texts), again, touch),
    )


def _touch_page(view: JudgeDeskView, point: int) -> Page:
    say = view.texts.say
    here = Target("point", "", events.PointDone(answers=True), Icon.PLUS, Tone.MAIN)
    nothing = Target("no_answer", say("desk.touch.nothing"), events.PointDone(answers=False), Icon.CROSS)
    title = say("desk.touch.title", place=point + 1, count=POINTS)
    return judge_desk_page("desk.self_test", title, view, point=point, actions=(here, nothing))


def judges_page(view: JudgeDeskView, now: int) -> Page:
    say, first = view.texts.say, view.judge_desk.first
    new = Target("slip.new", say("judge.new"), events.Begin(), Icon.PLUS, Tone.MAIN)
    return judge_desk_page(
        "judge.start",
        with_part(say("judge.title"), first, len(view.opinions), view.texts),
        view,
        lines=(say("judge.how"),),
        # The newest first: the oldest expires before the others, which keep their places.
        rows=tuple(_opinion(opinion, view.texts, now) for opinion in in_sight(view.opinions[::-1], first)),
        actions=(new, *turns(first, len(view.opinions), view.texts)),
        named=MappingProxyType({"return": new.event}),
    )


def _opinion(opinion: Opinion, texts: Texts, now: int) -> ListRow:
    text = texts.say("judge.unsettled" if opinion.rulings else "judge.asked", table=opinion.table)
    take = Target(f"opinion.{opinion.table}", text, events.Choose(str(opinion.table)))
    left = texts.say("repeat.left", left=reading(max(0, opinion.until - now)))
    return ListRow(text, SEPARATOR.join((texts.say("judge.words", count=len(opinion.words)), left)), take)


def log_page(view: JudgeDeskView) -> Page:
    log, texts = view.judge_desk.facts.log, view.texts
    return judge_desk_page(
        "desk.log",
        texts.say("desk.log.title"),
        view,
        lines=() if log is not None and log.lines else (texts.say("desk.looking" if log is None else "desk.log.none"),),
        rows=tuple(_row(line, texts) for line in log.lines) if log is not None else (),
        actions=_turns(view),
        notice=view.judge_desk.facts.result,
        success=bool(view.judge_desk.facts.done),
    )


def _turns(view: JudgeDeskView) -> tuple[Target, ...]:
    """Return the targets that turn the page: newer rows are further up."""
    log = view.judge_desk.facts.log
    past, more = len(view.judge_desk.befores) > 1, log is not None and log.older
    newer = turn(-1, view.texts.say("desk.log.newer"), view.texts, possible=past)
    older = turn(1, view.texts.say("desk.log.older"), view.texts, possible=more)
    return (newer, older) if past or more else ()


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


def _numbered(page: Page) -> Page:
    """Return the page with a digit key on each row that can be chosen, 1 on the first visible one, and then on each action without a key.

    Not on pages where digits are input.
    """
    if page.typed:
        return page
    known = tuple(page.keys.values())
    # A key of the keyboard tells nothing of the touch at a point.
    actions = page.actions if page.point is None else page.actions[1:]
    pressed = [row.target for row in page.rows if row.target] + [target for target in actions if target.event not in known]
    figures = {target.id: str(number) for number, target in enumerate(pressed, 1)}

    def named(target: Target) -> Target:
        return target.replace(key=figures[target.id]) if target.id in figures else target

    return page.replace(
        rows=tuple(row if row.target is None else row.replace(target=named(row.target)) for row in page.rows),
        actions=tuple(map(named, page.actions)),
        keys=MappingProxyType({**page.keys, **{figures[target.id]: target.event for target in pressed}}),
    )


def judge_desk_pages(view: JudgeDeskView, now: int) -> Page:
    judge_desk = view.judge_desk
    if judge_desk.judging is not None:
        return _numbered(judge_page(judge_desk.judging, view))
    if judge_desk.wanted is not None:
        return _numbered(confirm_page(view, judge_desk.wanted))
    return _numbered(judges_page(view, now) if judge_desk.place is events.JudgeDeskPlace.JUDGE else _AT[judge_desk.place](view))


def _menu(view: JudgeDeskView) -> Page:
    say = view.texts.say
    advice = view.context.advice
    close = Target("close", say("desk.close"), events.LeaveJudgeDesk(), Icon.LOCK)
    return Page(
        "desk.menu",
        say("desk.title"),
        footer(view.context, view.texts),
        lines=(say("desk.busy"),) if view.busy else (),
        rows=tuple(
            ListRow(target.text, target=target)
            for target in (_to(place, view) for place in events.JudgeDeskPlace if place is not events.JudgeDeskPlace.MENU)
        ),
        actions=(close,),
        notice=None if advice is None else view.texts.render(advice.what),
        keys=keys((), {"escape": close.event}),
    )


def _to(place: events.JudgeDeskPlace, view: JudgeDeskView) -> Target:
    off = place is events.JudgeDeskPlace.QUIT and view.context.power_off
    return Target(f"place.{place}", view.texts.say(f"desk.menu.{place}{'_off' if off else ''}"), events.GoTo(place))


def _name(view: JudgeDeskView) -> Page:
    return judge_desk_page(
        "desk.name",
        view.texts.say("desk.name.title"),
        view,
        lines=(view.texts.say("desk.name.how"), *pending(view)),
        entry=view.judge_desk.name,
        keyboard=letters(view.board, view.texts, space=True),
        actions=(on(view.texts.say("desk.name.save")),),
        named=TYPED,
        typed=True,
        notice=view.judge_desk.facts.result,
        success=bool(view.judge_desk.facts.done),
    )


def _export(view: JudgeDeskView) -> Page:
    now = Target("export", view.texts.say("desk.export.now"), events.Confirm(), tone=Tone.MAIN)
    return _question(view, "desk.export", ("title", "how"), (now,))


def _quit(view: JudgeDeskView) -> Page:
    say, stops = view.texts.say, view.context.power_off
    # Systemd restarts the program, so the way to stop it for good is to switch the machine off.
    now = Target("quit", say("desk.quit.again" if stops else "desk.quit.now"), events.Confirm(), None if stops else Icon.WARNING)
    off = Target("switch_off", say("desk.quit.off"), events.SwitchOffNow(), Icon.WARNING)
    page = _question(view, "desk.quit", ("off_title", "off_how") if stops else ("title", "how"), (now, off) if stops else (now,))
    *ending, way_back = page.actions
    lines = (*page.lines, say("desk.busy")) if stops and view.busy else page.lines
    named = MappingProxyType({**page.keys, "return": way_back.event})
    return page.replace(lines=lines, actions=(*ending, way_back.replace(tone=Tone.MAIN)), keys=named)


def _question(view: JudgeDeskView, name: str, said: tuple[str, str], actions: tuple[Target, ...]) -> Page:
    title, how = (view.texts.say(f"{name}.{key}") for key in said)
    return judge_desk_page(
        name,
        title,
        view,
        lines=(how,),
        actions=actions,
        notice=view.judge_desk.facts.result,
        success=bool(view.judge_desk.facts.done),
    )


_AT: Final[dict[events.JudgeDeskPlace, Callable[[JudgeDeskView], Page]]] = {
    events.JudgeDeskPlace.MENU: _menu,
    events.JudgeDeskPlace.LEXICONS: lexicons_page,
    events.JudgeDeskPlace.RULEBOOKS: rulebooks_page,
    events.JudgeDeskPlace.NAME: _name,
    events.JudgeDeskPlace.LOG: log_page,
    events.JudgeDeskPlace.EXPORT: _export,
    events.JudgeDeskPlace.SELF_TEST: self_test_page,
    events.JudgeDeskPlace.QUIT: _quit,
}


def judge_page(adjudication: Adjudication, view: JudgeDeskView) -> Page:
    match adjudication.stage:
        case Stage.SLIP if adjudication.slip.step is Step.CHECKING:
            page = _played(adjudication, view)
        case Stage.SLIP:
            page = _slip(adjudication, view)
        case Stage.JUDGE:
            page = _who(adjudication, view)
        case Stage.BOOK:
            page = _book(adjudication, view)
        case Stage.RULED:
            page = _ruled(adjudication, view)
    notice = adjudication.notice or adjudication.slip.notice
    said = None if notice is None else view.texts.say(notice.key, **dict(notice.values))
    return page.replace(table=table_label(adjudication.slip, view.texts), notice=said)


def _slip(adjudication: Adjudication, view: JudgeDeskView) -> Page:
    """Return the players' own page, without what only players do: adjudicate, withdraw, call the director."""
    slip = adjudication.slip
    asks_side = slip.step is Step.TABLE
    page = with_own_keys(asking_page(slip, view.texts, slip.touched) if asks_side else words_page(slip, view.texts, view.board or LATIN))
    unknown = (Target("challenger.none", view.texts.say("judge.no_side"), events.ChooseChallenger(None)),) if asks_side else ()
    return page.replace(
        name=f"judge.{page.name}",
        lines=() if asks_side else page.lines,
        aside=None,
        by_side=None
        if page.by_side is None
        else BySide(*(target.replace(text=view.texts.say(f"judge.side.{side}")) for side, target in page.by_side.items())),
        actions=(*(target for target in page.actions if isinstance(target.event, TYPING)), *unknown),
        keys=MappingProxyType({key: event for key, event in page.keys.items() if isinstance(event, TYPING)}),
    )


def _played(adjudication: Adjudication, view: JudgeDeskView) -> Page:
    """Return the judge's question before the look-up, whether these words were played (2017 IV.K.2.b, IV.K.3.c)."""
    # A second opinion concerns the same words (2017 IV.J.1.n): none can be added or removed.
    how = "judge.played_same" if adjudication.slip.link is not None else "judge.played_how"
    yes = Target("finish", view.texts.say("judge.played_yes"), events.Finish(), Icon.RIGHT, Tone.MAIN)
    return judge_desk_page(
        "judge.played",
        view.texts.say("judge.played"),
        view,
        lines=(_declared(adjudication.slip, view.texts), view.texts.say(how)),
        words=word_lines(adjudication.slip),
        actions=(yes,),
        named=MappingProxyType({"return": yes.event}),
    )


def _who(adjudication: Adjudication, view: JudgeDeskView) -> Page:
    return judge_desk_page(
        "judge.who",
        view.texts.say(f"judge.who.{adjudication.seat or Seat.FIRST}"),
        view,
        lines=(view.texts.say("judge.who_how"),),
        entry=adjudication.judge,
        keyboard=letters(view.board, view.texts, space=False),
        actions=(on(view.texts.say("action.next")),),
        named=TYPED,
        typed=True,
    )


def _book(adjudication: Adjudication, view: JudgeDeskView) -> Page:
    say = view.texts.say
    verdicts = (
        Target("verdict.acceptable", say("judge.acceptable"), events.GiveVerdict(acceptable=True), Icon.TICK, Tone.GOOD),
        Target("verdict.unacceptable", say("judge.unacceptable"), events.GiveVerdict(acceptable=False), Icon.CROSS, Tone.BAD),
    )
    return judge_desk_page(
        "judge.book",
        say("judge.book"),
        view,
        lines=(_declared(adjudication.slip, view.texts), say("judge.book_how")),
        words=word_lines(adjudication.slip),
        actions=verdicts,
    )


def _ruled(adjudication: Adjudication, view: JudgeDeskView) -> Page:
    texts, seat, follows = view.texts, adjudication.seat, adjudication.follows
    no_third = seat is not None and differ(adjudication.rulings)
    settle = Target(
        "settle",
        texts.say("judge.no_third" if no_third else "judge.settle"),
        events.Confirm(),
        Icon.TICK,
        Tone.PLAIN if no_third else Tone.MAIN,
    )
    review = () if seat is None else (Target("review", texts.say(f"judge.review.{seat}"), events.SecondOpinion(here=False), Icon.PERSON),)
    validity = texts.say(("judge.differ" if seat is Seat.THIRD else "judge.differ_director") if no_third else "judge.final")
    return Page(
        "judge.ruled",
        _declared(adjudication.slip, texts),
        footer(view.context, texts),
        banner=None if follows is None else verdict_banner(texts, acceptable=follows.acceptable),
        lines=(
            SEPARATOR.join(_ruling(ruling, texts) for ruling in adjudication.rulings),
            *((validity,) if no_third or seat is None else ()),
            *(() if follows is None else by_role(follows, texts)),
        ),
        actions=(settle, *review, *(last_play(adjudication.slip, texts) if follows is not None and follows.acceptable else ())),
        keys=keys((), {} if no_third else {"return": settle.event}),
    )


def _ruling(ruling: Ruling, texts: Texts) -> str:
    verdict = texts.say("verdict.acceptable" if ruling.acceptable else "verdict.unacceptable")
    return texts.say(f"judge.ruling.{ruling.seat}", judge=ruling.judge, verdict=verdict)


def _declared(slip: Flow, texts: Texts) -> str:
    return texts.say("words.declared", count=len(slip.words))
