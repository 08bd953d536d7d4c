"""How many random cases a run takes: enough for each change, all of them before a release."""

import os

THOROUGH = bool(os.environ.get("TILECLOCK_THOROUGH"))


def examples(most: int) -> int:
    """Return how many of at ``most`` so many random cases this run takes: an eighth, or all with ``TILECLOCK_THOROUGH=1``."""
    return most if THOROUGH else -(-most // 8)
