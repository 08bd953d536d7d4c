"""``tilehall``: the command line of the hall."""
