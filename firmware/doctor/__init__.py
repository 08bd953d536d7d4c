"""The self-test: what the clock needs of this machine, looked at piece by piece before a tournament, with what to do about each failure.

Every check takes what it looks at as an argument and yields ``Finding`` values; ``examine`` puts them in order; ``tileclock doctor`` shows them.
"""

from appliance.checks.finding import Finding, State
from firmware.doctor.examine import THIS_MACHINE, Machine, examine
from firmware.doctor.led import Parade
from hardware.buttons.interview import Interview

__all__ = ["THIS_MACHINE", "Finding", "Interview", "Machine", "Parade", "State", "examine"]
