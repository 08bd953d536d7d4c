"""The station's screen by pygame: an arrangement onto pixels, and touches and keys into events.

``touching`` and ``keys`` are pure: what a finger and a key do; ``pointing`` knows what pygame calls them; ``painter`` draws; ``window`` is the shell's.
"""
