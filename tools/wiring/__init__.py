"""Each board's wiring for the builder: picture, pin table and parts list, generated from the board file.

``python -m tools.wiring`` writes them beside this file; a test checks that they are current.
"""
