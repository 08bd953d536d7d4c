"""The journal: every event of every game in one append-only, hash-chained SQLite file, with a durable mark of how far time is known.

``writer`` appends rows in its own thread, so no press waits for the disk. ``recovery`` reads them after a power cut; ``export`` writes them
as a script for ``tileclock replay``.
"""
