"""Sample pages whose drawing time matters: a screen that has drawn them invisibly draws the first verdict as fast as any other."""

from __future__ import annotations

from appliance.texts import Texts
from game.challenge_log.entry import Entry, Kind
from kiosk.challenge.consequence import consequence
from kiosk.challenge.context import StationContext
from kiosk.challenge.flow import Flow, Outcome, Step
from kiosk.face.page import Page
from kiosk.face.players import players_page
from kiosk.keyboards import Keyboard
from rules.side import Side

_TABLE = "12"


def rehearsal(context: StationContext, texts: Texts, keys: Keyboard) -> tuple[Page, ...]:
    """Return the pages from typing to either verdict, of an invented challenge.

    Args:
        context: the station's context.
        texts: in ``context.language``.
        keys: the tiles of the lexicon's alphabet, as rows of keys.
    """
    words = ((), ())
    flow = Flow(context, Step.WORDS, language=context.language, digits=_TABLE, challenger=Side.LEFT, count=len(words), words=words)
    played = (flow, flow.replace(step=Step.CHECKING), *(_judged(flow, acceptable=acceptable) for acceptable in (True, False)))
    return tuple(players_page(each, each.touched, texts, keys) for each in played)


def _judged(flow: Flow, *, acceptable: bool) -> Flow:
    follows = consequence(flow.context.rulebook.challenge, len(flow.words), acceptable=acceptable)
    entry = Entry(Kind.LOOKUP, words=("",) * len(flow.words), acceptable=acceptable)
    return flow.replace(step=Step.VERDICT, outcome=Outcome(entry, 0, follows))
