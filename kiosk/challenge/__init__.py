"""The challenge flow: idle -> table -> words -> checking -> verdict -> idle. Pure: events in, effects out, time as an argument in ns.

``events`` and ``effects`` are its two doors, ``flow`` its state, ``apply`` the way from one to the other; ``consequence`` says what a verdict means.
"""
