"""The station's context as set from outside: lexicon, rulebook, name and troubles, put together for the pure station."""

from __future__ import annotations

from dataclasses import replace

from appliance.checks.voltage import Power
from kiosk.challenge.context import Advice, Matter, StationContext, Trouble
from kiosk.challenge.events import Stand
from kiosk.lexicons.shelf import Loaded
from kiosk.shell.machine import weak_power
from rules.rulebooks.model import Rulebook


class StationConditions:
    """The wanted context; the station decides when to apply it."""

    def __init__(self, standing: StationContext) -> None:
        self.standing = standing
        self._lexicon_trouble: Trouble | None = standing.trouble
        self._log_trouble: Trouble | None = None
        self._told: dict[Matter, str] = {}
        self._weak = 0

    def lexicon(self, found: Loaded | Trouble) -> Stand:
        """Set the lexicon; a trouble means none."""
        if isinstance(found, Trouble):
            self._lexicon_trouble = found
            return self._stand(self.standing)
        self._lexicon_trouble = None
        return self._stand(replace(self.standing, lexicon=found.name, spelling=found.spelling))

    def log(self, trouble: Trouble | None) -> Stand | None:
        """Set why the log cannot be written (None: it can); return None if nothing has changed."""
        if trouble == self._log_trouble:
            return None
        self._log_trouble = trouble
        return self._stand(self.standing)

    def advise(self, told: str | None, matter: Matter = Matter.LOG) -> Stand | None:
        """Set the advice about ``matter`` for the director; return None if there is nothing new."""
        if told is None or self._told.get(matter) == told:
            return None
        self._told[matter] = told
        return self._stand(replace(self.standing, advice=self._advice()))

    def over(self, matter: Matter) -> Stand | None:
        """Remove the advice about ``matter``; return None if there was none."""
        if self._told.pop(matter, None) is None:
            return None
        advice = self.standing.advice
        return self._stand(replace(self.standing, advice=self._advice(seen=advice is not None and advice.seen)))

    def power(self, power: Power) -> Stand | None:
        """Count low voltage; return None if there is nothing new."""
        self._weak += power.low
        return self.advise(weak_power(self._weak), Matter.POWER) if power.low else None

    def advised(self) -> Stand | None:
        """Note that the director has opened the desk and seen the advice; return None if there is nothing new."""
        advice = self.standing.advice
        if advice is None or advice.seen:
            return None
        return self._stand(replace(self.standing, advice=replace(advice, seen=True)))

    def rulebook(self, rulebook: Rulebook) -> Stand:
        """Set the rulebook."""
        return self._stand(replace(self.standing, rulebook=rulebook))

    def name(self, name: str) -> Stand:
        """Set the name."""
        return self._stand(replace(self.standing, name=name))

    def _advice(self, *, seen: bool = False) -> Advice | None:
        told_of = [each for each in Matter if each in self._told]
        return Advice(" ".join(self._told[each] for each in told_of), told_of[0], seen) if told_of else None

    def _stand(self, standing: StationContext) -> Stand:
        # The lexicon's trouble first: without a lexicon there is nothing to log.
        self.standing = replace(standing, trouble=self._lexicon_trouble or self._log_trouble)
        return Stand(self.standing)
