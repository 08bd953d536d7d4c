"""The desk's confirmation of another lexicon or rulebook: what is in force, and what would replace it. A touch on a list alone changes nothing."""

from __future__ import annotations

from types import MappingProxyType

from game.challenge_log.entry import LexiconName
from kiosk.director.events import TakeWanted
from kiosk.director.facts import LexiconFile, RulebookChoice
from kiosk.director.in_force import in_force
from kiosk.face.desk_parts import DeskView, desk_page, pending
from kiosk.face.footer import thousands
from kiosk.face.page import Icon, Page, Target, Tone
from kiosk.face.targets import SEPARATOR


def confirm_page(view: DeskView, wanted: LexiconFile | RulebookChoice) -> Page:
    """Return the page that asks to confirm ``wanted``."""
    say, kind = view.texts.say, "lexicon" if isinstance(wanted, LexiconFile) else "rulebook"
    now = _lexicon_now(view) if isinstance(wanted, LexiconFile) else _rulebook_now(view)
    take = Target("take", say("desk.confirm.take"), TakeWanted(), Icon.TICK, Tone.MAIN)
    return desk_page(
        "desk.confirm",
        say(f"desk.confirm.{kind}"),
        view,
        lines=(say("desk.confirm.now", what=now), say("desk.confirm.instead", what=_label(wanted, view)), *pending(view)),
        # It can be confirmed even so: the shell verifies it again, and it or the settings may have been repaired.
        notice=view.texts.render(wanted.why) if isinstance(wanted, LexiconFile) and wanted.why else None,
        actions=(take,),
        named=MappingProxyType({"return": take.event}),
    )


def _lexicon_now(view: DeskView) -> str:
    in_use, files = view.context.lexicon, view.desk.facts.lexicons or ()
    file = next((file for file in files if in_force(file, view.desk.facts, view.context)), None)
    if file is not None:
        return _label(file, view)
    return view.texts.say("desk.confirm.none") if in_use is None else _list(in_use, view)


def _rulebook_now(view: DeskView) -> str:
    in_use, choices = view.context.rulebook.id, view.desk.facts.rulebooks or ()
    return next((_label(choice, view) for choice in choices if choice.id == in_use), in_use)


def _label(choice: LexiconFile | RulebookChoice, view: DeskView) -> str:
    if isinstance(choice, RulebookChoice):
        return SEPARATOR.join((choice.title, choice.id))
    # With the whole path, because files in two folders may have the same name.
    return choice.path if choice.name is None else SEPARATOR.join((_list(choice.name, view), choice.path))


def _list(name: LexiconName, view: DeskView) -> str:
    words = view.texts.say("desk.lexicons.words", count=thousands(name.words, view.texts), hash=name.short_hash)
    return SEPARATOR.join(filter(None, (name.name, name.edition, words)))
