"""The limits of a lexicon, shared by header, builders, converters and spellings."""

TILES_IN_ALPHABET = 63
"""Tile numbers have 6 bits, and 0 means none."""

TILES_IN_WORD = 255
"""The format's own limit; a list that is built has none longer than a row of the board."""

TILES_ON_BOARD = 15
"""The tiles of a row: no play makes a longer word, and no station types one."""

WORDS_IN_LEXICON = 1 << 24
"""Several times the longest list of any game, and few enough to verify all."""

TILES_TO_READ = 1 << 28
"""The most tiles of all words together: bounds the time to verify hostile files."""
