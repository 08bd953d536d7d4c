"""How large a lexicon may be. Each limit has its one home here: the file's header, builders, converters and spellings hold to the same."""

TILES_IN_ALPHABET = 63
"""Tile numbers are 6 bits, and 0 is none."""

TILES_IN_WORD = 255

WORDS_IN_LEXICON = 1 << 24
"""Several times the longest list any game uses, few enough for a check of all of them to end."""

TILES_TO_READ = 1 << 28
"""Tiles that all words together may have: what verifying must read, of hostile files too."""
