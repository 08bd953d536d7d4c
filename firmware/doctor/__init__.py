"""The self-test: checks of everything the clock needs from this machine, before a tournament, with a remedy for each failure.

Every check takes its subject as an argument and yields ``Finding`` values; ``examine`` orders them; ``tileclock doctor`` prints them.
"""

from appliance.finding import Finding, State
from firmware.doctor.devices import Parade
from firmware.doctor.examine import THIS_MACHINE, Machine, examine
from hardware.buttons.self_test import Interview

__all__ = ["THIS_MACHINE", "Finding", "Interview", "Machine", "Parade", "State", "examine"]
