"""Which marks a half carries on any screen. Pure."""

from __future__ import annotations

from typing import Final

from firmware.core.game import Phase
from firmware.face.value import HalfFace

BEFORE: Final = (Phase.READY, Phase.LATE)


def marks(half: HalfFace, phase: Phase) -> tuple[str, ...]:
    """Return the marks; before the start the allowance stands among them (2017 III.A.3: both stand on the face)."""
    told = any(half.allowed in mark for mark in half.marks)
    return half.marks if told or phase not in BEFORE else (*half.marks, half.allowed)
