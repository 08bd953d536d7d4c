"""The command line of the challenge station: ``tilekiosk`` and its verbs."""
