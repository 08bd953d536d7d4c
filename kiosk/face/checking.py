"""The pages between typing and verdict: the words, large and locked for both players, with the challenged player's key; and the moment of the look-up."""

from __future__ import annotations

from typing import Final

from appliance.texts import Texts
from game.challenge_log.entry import Way
from kiosk.challenge.events import Adjudicate, Back
from kiosk.challenge.flow import Flow
from kiosk.face.footer import footer
from kiosk.face.other_endings import ways, ways_keys
from kiosk.face.page import Icon, Page, Target, Tone, WordLine
from kiosk.face.targets import back, director, keys, link_lines
from kiosk.face.words import spelled
from rules.side import BySide, Side

_TOWARDS: Final = BySide(Icon.LEFT, Icon.RIGHT)


def checking_page(flow: Flow, texts: Texts) -> Page:
    """Return the page on which both players check the words and the challenged one adjudicates (2017 IV.J.1.h)."""
    challenged = (flow.challenger or Side.LEFT).other
    actions = (back(texts), director(texts), *ways(flow, texts))
    key = Target("adjudicate", texts.say("checking.adjudicate"), Adjudicate(Way.TOUCH), _TOWARDS.of(challenged), Tone.MAIN)
    return Page(
        name="checking",
        title=texts.say("checking.title"),
        footer=footer(flow.context, texts),
        lines=(*link_lines(flow.link, texts), texts.say("checking.together"), texts.say(f"checking.key.{challenged}")),
        words=tuple(WordLine(number, spelled(word)) for number, word in enumerate(flow.words, 1)),
        actions=actions,
        adjudicate=(challenged, key),
        keys=keys(actions, {**ways_keys(flow), "tab": Adjudicate(Way.TAB), "escape": Back()}),
    )


def judging_page(flow: Flow, texts: Texts) -> Page:
    """Return the page during the look-up: it accepts no input."""
    return Page(
        name="judging",
        title=texts.say("judging.title"),
        footer=footer(flow.context, texts),
        lines=(texts.say("judging.wait"),),
    )
