"""The challenge flow: idle -> table -> words -> checking -> verdict -> idle. Pure: events in, effects out, time as an argument in ns.

``kiosk.events`` and ``kiosk.events`` are its interface, ``flow`` its state, ``apply`` its transition function.
"""
