"""The station: the players' flow and the director's desk as one value, and what an event or time makes of it. Pure.

``apply`` is its door, ``clearing`` what happens by itself, ``waking`` when.
"""
