"""Any event of the flow, for property tests and monkeys: most of them make no sense where they come."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from appliance.errors import Diagnosis
from game.challenge_log.entry import Way
from kiosk import events as ev
from kiosk.challenge.context import StationContext, Trouble, TroubleKind
from rules.side import Side
from tests.kiosk.challenge.making import context

TROUBLE = Trouble(TroubleKind.LEXICON_DAMAGED, Diagnosis("list.dawg: expected a whole file, found a damaged one", "Copy it again"))
_TEXTS = (
    "cat",
    "dog ",
    "c",
    "h",
    "l·l",
    "é",
    "1",
    "7",
    "12\n",
    "   ",
    "\x00\x1b",
    "ñ",
    "ABAB",
    "A\u0301",
    "\ud800",
    "[CH]",
    "x" * 40,
    "ab cd ef gh " * 9,
)
_PLAIN = (
    ev.Begin(),
    ev.ClockStopped(),
    ev.ClockRuns(),
    ev.Erase(),
    ev.Next(),
    ev.RepeatIt(),
    ev.NewChallenge(),
    ev.ShowVerdict(),
    ev.AddWord(),
    ev.Finish(),
    ev.Back(),
    ev.ShowWaysOut(),
    ev.Withdraw(),
    ev.Mistyped(),
    ev.CallDirector(),
    ev.ShowHelp(),
    ev.Done(),
    ev.SecondOpinion(here=True),
    ev.SecondOpinion(here=False),
    ev.ChooseLanguage("fr"),
    ev.ChooseLanguage("xx"),
)


def any_event(random: Random, of: StationContext) -> ev.ChallengeEvent:
    """Return an event at random, the shell's answers and another standing among them."""
    tiles = of.spelling.tiles if of.spelling is not None else ()
    kinds = (
        lambda: random.choice(_PLAIN),
        lambda: ev.Type(random.choice(_TEXTS)),
        lambda: ev.TypeTile(random.choice((*tiles, "0", "5", "??"))),
        lambda: ev.ChooseChallenger(random.choice(list(Side))),
        lambda: ev.LastPlay(random.random() < 0.3),
        lambda: ev.ChooseCount(random.randint(-1, 10)),
        lambda: ev.ChooseWord(random.randint(-1, 8)),
        lambda: ev.RemoveWord(random.randint(-1, 8)),
        lambda: ev.Adjudicate(random.choice(list(Way))),
        lambda: ev.Concede(random.choice(list(Side))),
        lambda: _answer(random),
        lambda: ev.SetContext(random.choice((of, of, replace(of, trouble=TROUBLE), context("nzasp-2022")))),
    )
    event: ev.ChallengeEvent = random.choices(kinds, weights=(8, 5, 4, 2, 2, 2, 1, 1, 3, 1, 1, 1))[0]()
    return event


def _answer(random: Random) -> ev.ChallengeEvent:
    return random.choice(
        (ev.Judged(random.random() < 0.5, random.randint(1, 99)), ev.VerdictNotLogged(True, "full"), ev.CannotJudge(TROUBLE))
    )


def way_on(random: Random, asks: ev.ChallengeEvent | None) -> ev.ChallengeEvent | None:
    """Return ``asks`` most of the time, so that a monkey gets somewhere."""
    return asks if random.random() < 0.7 else None
