"""A window, or a whole bare panel, and what is written on it: by pygame, for whichever program has something to show."""

import os

# pygame greets on standard output when it is imported, which belongs to the commands.
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
