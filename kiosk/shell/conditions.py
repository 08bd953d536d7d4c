"""The station's context as set from outside: lexicon, rulebook, name and troubles, put together for the pure station."""

from __future__ import annotations

from dataclasses import replace

from appliance.checks.voltage import Power
from faults.errors import Phrase, in_a_row
from kiosk.challenge.context import Advice, Matter, StationContext, Trouble
from kiosk.challenge.events import SetContext
from kiosk.lexicons.shelf import Loaded
from kiosk.shell.machine import weak_power
from rules.rulebooks.model import Rulebook


class StationConditions:
    """The wanted context; the station decides when to apply it."""

    def __init__(self, context: StationContext) -> None:
        self.context = context
        self._lexicon_trouble: Trouble | None = context.trouble
        self._log_trouble: Trouble | None = None
        self._sentences: dict[Matter, Phrase] = {}
        self._weak = 0

    def lexicon(self, found: Loaded | Trouble) -> SetContext:
        """Set the lexicon; a trouble means none."""
        if isinstance(found, Trouble):
            self._lexicon_trouble = found
            return self._set(self.context)
        self._lexicon_trouble = None
        return self._set(replace(self.context, lexicon=found.name, spelling=found.spelling))

    def log(self, trouble: Trouble | None) -> SetContext | None:
        """Set why the log cannot be written (None: it can); return None if nothing has changed."""
        if trouble == self._log_trouble:
            return None
        self._log_trouble = trouble
        return self._set(self.context)

    def advise(self, sentence: Phrase | None, matter: Matter = Matter.LOG) -> SetContext | None:
        """Set the advice about ``matter`` for the director; return None if there is nothing new."""
        if sentence is None or self._sentences.get(matter) == sentence:
            return None
        self._sentences[matter] = sentence
        return self._set(replace(self.context, advice=self._advice()))

    def withdraw(self, matter: Matter) -> SetContext | None:
        """Remove the advice about ``matter``; return None if there was none."""
        if self._sentences.pop(matter, None) is None:
            return None
        advice = self.context.advice
        return self._set(replace(self.context, advice=self._advice(seen=advice is not None and advice.seen)))

    def power(self, power: Power) -> SetContext | None:
        """Count low voltage; return None if there is nothing new."""
        self._weak += power.low
        return self.advise(weak_power(self._weak), Matter.POWER) if power.low else None

    def advice_seen(self) -> SetContext | None:
        """Note that the director has opened the desk and seen the advice; return None if there is nothing new."""
        advice = self.context.advice
        if advice is None or advice.seen:
            return None
        return self._set(replace(self.context, advice=replace(advice, seen=True)))

    def rulebook(self, rulebook: Rulebook) -> SetContext:
        """Set the rulebook."""
        return self._set(replace(self.context, rulebook=rulebook))

    def name(self, name: str) -> SetContext:
        """Set the name."""
        return self._set(replace(self.context, name=name))

    def _advice(self, *, seen: bool = False) -> Advice | None:
        matters = [each for each in Matter if each in self._sentences]
        return Advice(in_a_row(*(self._sentences[each] for each in matters)), matters[0], seen) if matters else None

    def _set(self, context: StationContext) -> SetContext:
        # The lexicon's trouble first: without a lexicon there is nothing to log.
        self.context = replace(context, trouble=self._lexicon_trouble or self._log_trouble)
        return SetContext(self.context)
