"""The screens of players and director: the same ``Face`` in a window, on a bare panel, or in a terminal."""

import appliance.display  # noqa: F401 - silences the greeting of pygame, whichever screen imports it first
