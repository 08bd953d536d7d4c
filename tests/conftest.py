"""What holds for every test."""

from hypothesis import settings

# How long an example takes says how busy the machine is, not whether the code is right; each test's own limit ends one that hangs.
settings.register_profile("tileclock", deadline=None)
settings.load_profile("tileclock")
