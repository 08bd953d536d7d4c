"""The table clock: a pure game, and a thin shell of pins, screens and a journal around it."""
