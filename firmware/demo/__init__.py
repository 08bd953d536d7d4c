"""The demonstration: the real clock without a Pi, in a window, or headless by a scripted game."""
