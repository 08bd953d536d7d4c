"""What the players and the director see: the same ``Face`` in a window, on a bare panel, or in a terminal."""

import os

# pygame greets on standard output when it is imported, which belongs to the commands.
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
