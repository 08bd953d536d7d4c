"""The idle page: what to do before a challenge, or why the station cannot judge and who can help."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from appliance.texts import Texts
from kiosk.challenge.context import Trouble
from kiosk.challenge.events import Begin, ChooseLanguage
from kiosk.challenge.flow import Flow
from kiosk.events import Event
from kiosk.face.footer import footer
from kiosk.face.page import Banner, Icon, Page, Target, Tone

_FIRST: Final = 2
"""The first function key for languages."""


def idle_page(flow: Flow, texts: Texts) -> Page:
    """Return the idle page."""
    if flow.context.trouble is not None:
        return _shut(flow, flow.context.trouble, texts)
    advice = flow.context.advice
    begin = Target("begin", texts.say("idle.begin"), Begin(), Icon.RIGHT, Tone.MAIN)
    return Page(
        name="idle",
        title=texts.say("idle.title"),
        footer=footer(flow.context, texts),
        banner=_joins(flow, texts),
        code=flow.joins.code,
        lines=(texts.say("idle.how"),),
        actions=(begin, *_languages(flow, texts)),
        # The desk names the file.
        notice=None if advice is None or advice.seen else texts.say(f"idle.advice.{advice.matter}"),
        keys=MappingProxyType({"return": Begin(), **_language_keys(flow)}),
    )


def _shut(flow: Flow, trouble: Trouble, texts: Texts) -> Page:
    """Return the page of a station that cannot judge, with the remedy; the error's own sentence names the file, for the director."""
    return Page(
        name="idle.trouble",
        title=texts.say("idle.shut"),
        footer=footer(flow.context, texts),
        banner=_joins(flow, texts) or Banner(texts.say("idle.call"), Icon.WARNING, Tone.WARNING),
        code=flow.joins.code,
        lines=(texts.say(f"trouble.{trouble.ailment}"),),
        aside=texts.render(trouble.what.sentences),
        actions=_languages(flow, texts),
        keys=_language_keys(flow),
    )


def _joins(flow: Flow, texts: Texts) -> Banner | None:
    """Return what the director compares while the station asks the hall to take it in."""
    asked = flow.joins
    return Banner(texts.say("idle.joins", hall=asked.hall, digits=asked.digits), Icon.PERSON, Tone.WARNING) if asked.digits else None


def _languages(flow: Flow, texts: Texts) -> tuple[Target, ...]:
    """Return targets for the other languages, each in its own name."""
    return tuple(
        Target(f"language.{language}", texts.say(f"language.{language}"), event, key=key.upper())
        for (key, event), language in zip(_language_keys(flow).items(), _others(flow), strict=True)
    )


def _language_keys(flow: Flow) -> Mapping[str, Event]:
    return MappingProxyType({f"f{number}": ChooseLanguage(language) for number, language in enumerate(_others(flow), _FIRST)})


def _others(flow: Flow) -> tuple[str, ...]:
    return tuple(language for language in flow.context.languages if language != flow.language)
