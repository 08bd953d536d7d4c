"""The wiring of each board for whoever solders it: picture, pin table and parts list, all made from the board file.

``python -m hardware.wiring`` writes them beside this file; a test makes sure that they are current.
"""
