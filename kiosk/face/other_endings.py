"""Ending a challenge without a look-up: one target on the pages of number, words and check leads to a page that names each way."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from appliance.texts import Texts
from game.challenge_log.entry import Kind
from kiosk.challenge.closing import has_way_out
from kiosk.challenge.events import Back, Concede, ShowWaysOut, Withdraw
from kiosk.challenge.flow import Flow
from kiosk.events import Event
from kiosk.face.footer import footer
from kiosk.face.page import Icon, Page, Target, Tone
from kiosk.face.targets import FUNCTION_KEYS, back, director, keys
from rules.side import BySide, Side

_TOWARDS: Final = BySide(Icon.LEFT, Icon.RIGHT)


def ways(flow: Flow, texts: Texts) -> tuple[Target, ...]:
    """Return the target for the ways out, if the rulebook in force has any; a single stray touch must not end a challenge."""
    return (Target("ways", texts.say("ways.action"), ShowWaysOut(), tone=Tone.QUIET),) if has_way_out(flow) else ()


def ways_keys(flow: Flow) -> Mapping[str, Event]:
    """Return the keys of all ways out: they lead to the same page, or say that this rulebook has none, because they have a function under others."""
    meant = _own_keys()
    return MappingProxyType(dict.fromkeys(meant, ShowWaysOut()) if has_way_out(flow) else meant)


def ways_page(flow: Flow, texts: Texts) -> Page:
    """Return the page of the ways out: withdraw (2017 IV.I.3), or concede by either player (IV.I.3.5), on that player's side.

    A play with a verdict cannot be withdrawn; after a request for a second opinion, it cannot be conceded either.
    """
    rule, link = flow.context.rulebook.challenge, flow.link
    withdraw = (Target("withdraw", texts.say("withdraw.action"), Withdraw()),) if rule.may_withdraw and link is None else ()
    concedes = rule.may_concede and (link is None or link.kind is not Kind.SECOND_OPINION)
    concede = BySide(Side.LEFT, Side.RIGHT).map(
        lambda side: Target(f"concede.{side}", texts.say(f"concede.{side}"), Concede(side), _TOWARDS.of(side), contested=True)
    )
    actions = (*withdraw, back(texts), director(texts))
    return Page(
        name="ways",
        title=texts.say("ways.title"),
        footer=footer(flow.context, texts),
        lines=(
            texts.say("ways.how"),
            *(texts.say("ways.withdrawn", choice=target.text) for target in withdraw),
            *(_meaning(flow, side, target, texts) for side, target in concede.items() if concedes),
        ),
        actions=actions,
        by_side=concede if concedes else None,
        keys=keys(actions, {**_own_keys(), "escape": Back()}),
    )


def _meaning(flow: Flow, side: Side, target: Target, texts: Texts) -> str:
    return texts.say("ways.acceptable" if side is flow.challenger else "ways.unacceptable", choice=target.text)


def _own_keys() -> Mapping[str, Event]:
    return {FUNCTION_KEYS["withdraw"]: Withdraw(), **{FUNCTION_KEYS[f"concede.{side}"]: Concede(side) for side in Side}}
