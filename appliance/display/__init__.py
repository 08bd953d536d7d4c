"""A window or a bare panel, and drawing on it, with pygame."""

import os

# pygame prints a greeting on import, but standard output belongs to the commands.
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
