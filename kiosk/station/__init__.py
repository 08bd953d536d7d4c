"""The station: the players' flow and the director's desk as one value, and how events and time change it. Pure.

``apply`` applies events, ``timeouts`` handles changes by time alone, and returns when these come.
"""
