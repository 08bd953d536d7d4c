"""The self-test: checks of everything the clock needs from this machine, before a tournament, with a remedy for each failure.

Every check takes its subject as an argument and yields ``Finding`` values; ``examine`` orders them; ``tileclock doctor`` prints them.
"""
