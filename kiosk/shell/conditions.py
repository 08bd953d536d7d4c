"""What the station is to stand like: lexicon, rulebook, name and troubles as they come from outside, put together for the pure station."""

from __future__ import annotations

from dataclasses import replace

from appliance.checks.voltage import Power
from appliance.phrase import Phrase, in_a_row
from kiosk.challenge.context import Advice, Matter, StationContext, Trouble
from kiosk.challenge.events import Stand
from kiosk.lexicons.shelf import Loaded
from kiosk.shell.machine import weak_power
from rules.rulebooks.model import Rulebook


class StationConditions:
    """The standing that is wanted; when it is taken is the station's own affair."""

    def __init__(self, standing: StationContext) -> None:
        self.standing = standing
        self._lexicon_trouble: Trouble | None = standing.trouble
        self._log_trouble: Trouble | None = None
        self._told: dict[Matter, Phrase] = {}
        self._weak = 0

    def lexicon(self, found: Loaded | Trouble) -> Stand:
        """Stand on this lexicon, or on none, with the trouble there is."""
        if isinstance(found, Trouble):
            self._lexicon_trouble = found
            return self._stand(self.standing)
        self._lexicon_trouble = None
        return self._stand(replace(self.standing, lexicon=found.name, spelling=found.spelling))

    def log(self, trouble: Trouble | None) -> Stand | None:
        """Take in whether the log can be written, and why not; None: nothing about that has changed."""
        if trouble == self._log_trouble:
            return None
        self._log_trouble = trouble
        return self._stand(self.standing)

    def advise(self, told: Phrase | None, matter: Matter = Matter.LOG) -> Stand | None:
        """Take in what the director has to be told of ``matter``, in the place of what was told of it before; None: nothing, or it is known."""
        if told is None or self._told.get(matter) == told:
            return None
        self._told[matter] = told
        return self._stand(replace(self.standing, advice=self._advice()))

    def over(self, matter: Matter) -> Stand | None:
        """Take in that there is nothing to be told of ``matter`` any more; None: there was nothing."""
        if self._told.pop(matter, None) is None:
            return None
        advice = self.standing.advice
        return self._stand(replace(self.standing, advice=self._advice(seen=advice is not None and advice.seen)))

    def power(self, power: Power) -> Stand | None:
        """Take in what has become of the voltage; None: there is nothing new to be told."""
        self._weak += power.low
        return self.advise(weak_power(self._weak), Matter.POWER) if power.low else None

    def advised(self) -> Stand | None:
        """Take in that the director is at the desk, where it is told; None: there is nothing new to be told."""
        advice = self.standing.advice
        if advice is None or advice.seen:
            return None
        return self._stand(replace(self.standing, advice=replace(advice, seen=True)))

    def rulebook(self, rulebook: Rulebook) -> Stand:
        """Stand under another rulebook."""
        return self._stand(replace(self.standing, rulebook=rulebook))

    def name(self, name: str) -> Stand:
        """Stand under another name."""
        return self._stand(replace(self.standing, name=name))

    def _advice(self, *, seen: bool = False) -> Advice | None:
        told_of = [each for each in Matter if each in self._told]
        return Advice(in_a_row(*(self._told[each] for each in told_of)), told_of[0], seen) if told_of else None

    def _stand(self, standing: StationContext) -> Stand:
        # The lexicon's first: without it there is nothing to log.
        self.standing = replace(standing, trouble=self._lexicon_trouble or self._log_trouble)
        return Stand(self.standing)
