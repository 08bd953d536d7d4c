"""The self-test: what the station needs of this machine, looked at piece by piece, with what to do about each failure.

Every check takes what it looks at as an argument and yields ``Finding`` values; ``examine`` puts them in order, for ``tilekiosk doctor`` and for the desk.
"""
