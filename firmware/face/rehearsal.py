"""What a screen can prepare before a game: fills with every text that a fill can have, so that the first one opens no fonts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from firmware.face.value import FillFace
from firmware.texts import Texts
from rules.limits import WORDS_IN_CHALLENGE

_FAMILIES: Final = ("fill.let_go.", "fill.hold_on.")


def rehearsed_fills(texts: Texts) -> Iterator[FillFace]:
    """Yield a fill over the strip with each text. Once reached, what holding on did is what letting go does, so each text stands in both lines."""
    for key in texts.by_key:
        if key.startswith(_FAMILIES):
            what = texts.say(key, count=WORDS_IN_CHALLENGE)
            let_go, hold_on = texts.say("fill.letting_go", what=what), texts.say("fill.holding_on", what=what)
            yield FillFace(None, let_go, hold_on, 0)
