"""The self-test: checks of everything the station needs from this machine, with a remedy for each failure.

Every check takes its subject as an argument and yields ``Finding`` values; ``examine`` orders them, for ``tilekiosk doctor`` and for the desk.
"""
