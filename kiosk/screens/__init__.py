"""The station's screen with pygame: it draws an arrangement, and converts touches and keys to events.

``pressing`` is pure: the effect of a finger or key; ``painter`` draws; ``window`` is the shell's interface.
"""
