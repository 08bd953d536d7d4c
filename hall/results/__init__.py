"""Results of games, from wherever they come, and the files that other programs read them from (docs/tournament-files.md)."""
