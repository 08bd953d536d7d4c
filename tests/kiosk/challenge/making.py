"""A station's parts, made for tests: rulebook, alphabet and limits by name, a list that is never opened; and flows that are some steps on."""

from dataclasses import fields, is_dataclass
from typing import Any

from msgspec import Struct

from appliance.texts import language_names
from kiosk import events as ev
from kiosk.challenge.apply import apply
from kiosk.challenge.flow import Flow, Step
from kiosk.context import FlowSettings, StationContext
from kiosk.director.word_judge import Adjudication
from kiosk.events import Consequence, Effect
from lexicon.alphabet import Alphabet, load_alphabet
from records.entry import LexiconName, Way
from rules.rulebooks import load_rulebook
from rules.side import Side
from tests.lexicon.making import alphabet as made_up


def lexicon_name(alphabet: str = "english", *, practice: bool = False) -> LexiconName:
    sha256 = "0123456789abcdef" * 4
    return LexiconName("TEST LIST", "2026-11-21", 270_163, sha256, alphabet, practice)


def context(rulebook: str = "naspa-2017", alphabet: str | Alphabet = "english", **limits: Any) -> StationContext:
    """Return a station that can judge, with these limits set: ``context(repeats=0)``."""
    tiles = load_alphabet(alphabet) if isinstance(alphabet, str) else alphabet
    return StationContext(
        name="Station 1",
        rulebook=load_rulebook(rulebook),
        lexicon=lexicon_name(tiles.id),
        spelling=tiles.spelling,
        trouble=None,
        limits=FlowSettings(**limits),
        languages=language_names(),
    )


S = 1_000_000_000
AMBIGUOUS = made_up(("A", "AB", "B", "CH", "C", "H", "T"), {"Á": ("A",), "1": ("C", "H")}, ("CH",))
"""A made-up alphabet: AB is one tile or two, CH always one, and 1 stands for two tiles that are never laid so."""


def played(flow: Flow, *events: ev.ChallengeEvent, gap: int = S) -> Flow:
    return run(flow, *events, gap=gap)[0]


def run(flow: Flow, *events: ev.ChallengeEvent, gap: int = S) -> tuple[Flow, tuple[Effect, ...]]:
    """Return the flow after these events, each ``gap`` ns after the one before, and all that the shell was asked to do."""
    asked: tuple[Effect, ...] = ()
    for event in events:
        flow, effects = apply(flow, event, max(flow.touched, flow.since) + gap)
        asked += effects
    return flow, asked


def at_words(flow: Flow, table: int = 7, challenger: Side = Side.LEFT) -> Flow:
    asked = played(flow, ev.Begin(), ev.Type(str(table)), ev.ChooseChallenger(challenger))
    return asked if asked.step is Step.WORDS else played(asked, ev.NewChallenge())


def at_checking(flow: Flow, *words: str, table: int = 7, challenger: Side = Side.LEFT) -> Flow:
    return played(at_words(flow, table, challenger), ev.Type(" ".join(words)), ev.Finish())


def at_verdict(flow: Flow, *words: str, table: int = 7, challenger: Side = Side.LEFT, acceptable: bool = True, row: int = 11) -> Flow:
    return played(at_checking(flow, *words, table=table, challenger=challenger), ev.Adjudicate(Way.TAB), ev.Judged(acceptable, row))


def everything_in(value: object, but: frozenset[str] = frozenset()) -> list[object]:
    """Return each value in a state, however deep, that is no part of another one; fields named in ``but`` are left out."""
    if isinstance(value, tuple):
        return [inner for each in value for inner in everything_in(each, but)]
    if names := field_names(value.__class__):
        return [inner for name in names if name not in but for inner in everything_in(getattr(value, name), but)]
    return [value]


def field_names(kind: type[object]) -> tuple[str, ...]:
    if issubclass(kind, Struct):
        return kind.__struct_fields__
    return tuple(field.name for field in fields(kind)) if is_dataclass(kind) else ()


def key(of: Flow | Adjudication) -> str | None:
    return None if of.notice is None else of.notice.key


def follows(flow: Flow) -> Consequence:
    assert flow.outcome is not None
    assert flow.outcome.consequence is not None
    return flow.outcome.consequence
