"""The journal: every event of every game in one append-only SQLite file, with a hash chain, and a durable mark of how far time is known.

Rows go in through ``writer`` (a thread of its own: no press waits for the disk) and come back through ``recovery`` after a power cut and through ``export`` as
a script for ``tileclock replay``.
"""
