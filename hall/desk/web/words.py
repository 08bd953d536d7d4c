"""Times, states and orders as the pages write them; ``static/clock.js`` writes the same for what counts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from hall.desk.cards.table import TableCard
from hall.picture.remote_clock import UNKNOWN
from rules.duration import NS, reading
from rules.side import Side
from wire.reports import NamedLexicon

_HOUR_S: Final = 3600
LANGUAGES: Final = {"en": "English", "es": "Spanish", "fr": "French"}
"""The languages that a clock has texts in."""
SETTINGS: Final = {
    "language": "Language",
    "led_brightness": "LED brightness in percent",
    "buzzer_enabled": "Buzzer",
    "players_choose_rulebook": "Players choose the next rulebook",
}
"""What a setting of an order is called."""


def since_s(since: int, now: int) -> int:
    """Return the whole seconds between two instants (ns), 0 if ``since`` lies ahead."""
    return max(0, (now - since) // NS)


def age(seconds: int) -> str:
    """Return how long something lasts: ``0:25``, ``12:04``, ``1 h 05 min``."""
    if seconds >= _HOUR_S:
        return f"{seconds // _HOUR_S} h {seconds % _HOUR_S // 60:02d} min"
    return f"{seconds // 60}:{seconds % 60:02d}"


def counted(number: int, noun: str) -> str:
    """Return ``1 row``, ``2 rows``: for nouns whose plural is regular."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def card_reading(card: TableCard, side: Side, now: int) -> str:
    """Return a side's reading at ``now`` (ns of the listener); with ``~`` where it is not exact or the clock is not heard."""
    if card.sides is None:
        return ""
    left = card.sides.of(side).remaining
    if card.running is not side:
        return reading(left)
    if card.at is None:
        return UNKNOWN
    about = "~" if card.about or card.stale is not None else ""
    return about + reading(left - max(0, now - card.at))


def list_name(lexicon: NamedLexicon) -> str:
    """Return a word list's name with its edition."""
    return f"{lexicon.name} {lexicon.edition}".strip()


def order_words(do: str, keys: Mapping[str, Any]) -> str:
    """Return what an order says to all its clocks, by its ``do`` and keys; empty: nothing, or each clock something else."""
    if do == "settings":
        return ", ".join(f"{title}: {_value(key, keys[key])}" for key, title in SETTINGS.items() if keys.get(key) is not None)
    if do == "setup":
        left, right = (_minutes(keys.get(f"{side}_seconds")) for side in Side)
        return f"{keys.get('rulebook', '')}, {f'{left} each' if left == right else f'left {left}, right {right}'}"
    text = f"\u201c{keys['text']}\u201d" if keys.get("text") else ""
    return f"{text}, for {keys['seconds']} s" if text and "seconds" in keys else text


def _value(setting: str, value: object) -> str:
    if isinstance(value, bool):
        no, yes = ("no", "yes") if setting == "players_choose_rulebook" else ("off", "on")
        return yes if value else no
    return LANGUAGES.get(str(value), str(value))


def _minutes(seconds: int | None) -> str:
    return "the rulebook's time" if seconds is None else f"{seconds / 60:g} min"
