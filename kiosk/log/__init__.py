"""The log: every look-up, every verdict and every opening of the director's door, in one append-only SQLite file with a hash chain.

A row is on the disk before the players see their verdict (``log``); the director and ``tilekiosk log`` read it back (``reading``, ``export``, ``verify``).
"""
