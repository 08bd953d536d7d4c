"""The log: every look-up, every verdict and every opening of the director's door, in one append-only, hash-chained SQLite file.

A row is on the disk before the players see their verdict (``log``); the director and ``tilekiosk log`` read it (``reading``, ``export``, ``verify``).
"""
