"""The rows of a clock's journal, as clock and hall read them: their form, their hash chain, the game they add up to, and their words."""
