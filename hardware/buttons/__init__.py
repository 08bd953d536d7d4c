"""Buttons as a stream of edges, lamps, and the buzzer."""
