"""The demo: the real clock without a Pi, in a window, or headless with a scripted game."""
