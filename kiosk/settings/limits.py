"""Convert settings for the pure flow: seconds and minutes become ns."""

from __future__ import annotations

from kiosk.challenge.context import Limits
from kiosk.settings.model import Settings
from rules.duration import NS


def limits(settings: Settings) -> Limits:
    """Return the director's limits for the flow."""
    flow = settings.flow
    return Limits(
        count_first=flow.count_first,
        idle_ns=flow.idle_s * NS,
        words_ns=flow.words_s * NS,
        still_there_ns=flow.still_there_s * NS,
        verdict_ns=flow.verdict_s * NS,
        least_ns=flow.least_ms * NS // 1000,
        repeat_ns=flow.repeat_minutes * 60 * NS,
        repeats=flow.repeats,
        director_ns=flow.director_s * NS,
        judge_unlogged=flow.judge_unlogged,
    )
