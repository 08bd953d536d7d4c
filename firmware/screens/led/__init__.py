"""What stands on the two serial LED modules, one facing each player: ``Face`` in, a ``Picture`` for each side out. Pure.

``readings`` has a clock's reading in four digits, ``windows`` a time frame, ``words`` the codes for where the game stands, ``marquee`` any text; ``pictures`` says
which of them stands when. ``docs/led.md`` has the same in tables, for players and directors.
"""

from firmware.screens.led.pictures import pictures

__all__ = ["pictures"]
