"""What changes the station's context from outside: lexicon, rulebook, name, troubles and news of the machine."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from appliance.errors import Diagnosis
from appliance.settings.layers import RejectedSettings
from appliance.voltage import REMEDY, Power
from faults.errors import Phrase, full_stop, in_a_row
from kiosk.context import Advice, AdviceTopic, StationContext, Trouble
from kiosk.events import SetContext
from kiosk.lexicons.loading import Loaded
from records.entry import Entry, Kind
from rules.rulebooks.model import Rulebook


def refused_settings(refused: RejectedSettings | None) -> Phrase | None:
    """Return why the machine's files are not in force, and what is instead; None: they are in force."""
    if refused is None:
        return None
    instead = "The last good settings are in force." if refused.last_good else "The defaults are in force."
    return in_a_row(refused.why.sentences, Phrase(instead), Phrase("Restart afterwards."))


def weak_power(times: int) -> Phrase:
    counted = Phrase("1 time") if times == 1 else Phrase("{count} times", count=times)
    return in_a_row(Phrase("The voltage has been too low {times} since the start.", times=counted), full_stop(Phrase(REMEDY)))


def pins_missing(why: Diagnosis) -> Phrase:
    """Return the judge desk's text while the board's pins are unavailable."""
    meanwhile = "Meanwhile the screen and the keyboard adjudicate; the PIN opens this desk, the key switch does not."
    cannot = Phrase("The board's pins cannot be opened: {why}", why=why.sentences)
    return in_a_row(cannot, Phrase("It is tried again every 5 s."), Phrase(meanwhile))


def of_pins(why: Diagnosis | None) -> Entry:
    """Return the row for unavailable pins, or for their return (None)."""
    return Entry(Kind.SELF_TEST, why="the board's pins are there" if why is None else f"the board's pins cannot be opened: {why}")


def of_power(power: Power) -> Entry:
    return Entry(Kind.SELF_TEST, why="the voltage is too low" if power.low else "the voltage is right again")


class StationConditions:
    """Changes of the station's newest context, ``context`` at the start; the station decides when to take it over."""

    def __init__(self, context: StationContext) -> None:
        self.newest: Callable[[], StationContext] = lambda: context
        self._lexicon_trouble: Trouble | None = context.trouble
        self._log_trouble: Trouble | None = None
        self._sentences: dict[AdviceTopic, Phrase] = {}
        self._weak = 0

    def lexicon(self, found: Loaded | Trouble) -> SetContext:
        """Set the lexicon; a trouble means none."""
        if isinstance(found, Trouble):
            self._lexicon_trouble = found
            return self._set()
        self._lexicon_trouble = None
        return self._set(lexicon=found.name, spelling=found.spelling)

    def log(self, trouble: Trouble | None) -> SetContext | None:
        """Set why the log cannot be written (None: it can); return None if nothing has changed."""
        if trouble == self._log_trouble:
            return None
        self._log_trouble = trouble
        return self._set()

    def advise(self, sentence: Phrase | None, matter: AdviceTopic = AdviceTopic.LOG) -> SetContext | None:
        """Set the advice about ``matter`` for the director; return None if there is nothing new."""
        if sentence is None or self._sentences.get(matter) == sentence:
            return None
        self._sentences[matter] = sentence
        return self._set(advice=self._advice())

    def advised(self) -> StationContext:
        return replace(self.newest(), advice=self._advice())

    def withdraw(self, matter: AdviceTopic) -> SetContext | None:
        """Remove the advice about ``matter``; return None if there was none."""
        if self._sentences.pop(matter, None) is None:
            return None
        advice = self.newest().advice
        return self._set(advice=self._advice(seen=advice is not None and advice.seen))

    def power(self, power: Power) -> SetContext | None:
        """Count low voltage; return None if there is nothing new."""
        self._weak += power.low
        return self.advise(weak_power(self._weak), AdviceTopic.POWER) if power.low else None

    def advice_seen(self) -> SetContext | None:
        """Note that the director has opened the judge desk and seen the advice; return None if there is nothing new."""
        advice = self.newest().advice
        return None if advice is None or advice.seen else self._set(advice=replace(advice, seen=True))

    def rulebook(self, rulebook: Rulebook) -> SetContext:
        return self._set(rulebook=rulebook)

    def name(self, name: str) -> SetContext:
        return self._set(name=name)

    def _advice(self, *, seen: bool = False) -> Advice | None:
        matters = [each for each in AdviceTopic if each in self._sentences]
        return Advice(in_a_row(*(self._sentences[each] for each in matters)), matters[0], seen) if matters else None

    def _set(self, **changes: Any) -> SetContext:
        # The lexicon's trouble first: without a lexicon there is nothing to log.
        return SetContext(replace(self.newest(), trouble=self._lexicon_trouble or self._log_trouble, **changes))
