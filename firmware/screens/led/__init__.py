"""The content of the two serial LED modules, one facing each player: a ``Picture`` for each side from a ``Face``. Pure.

``readings`` shows a clock's reading in four digits, ``windows`` a time frame, ``words`` the codes for the state of the game, ``marquee`` any
text; ``pictures`` selects among them. ``docs/led.md`` has the same in tables, for players and directors.
"""

from firmware.screens.led.pictures import pictures

__all__ = ["pictures"]
