"""What the players and the director see: the same ``Face`` in a window, on a bare panel, or in a terminal."""

import appliance.display  # noqa: F401 - keeps pygame from greeting, whichever screen imports it first
