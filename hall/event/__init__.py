"""An event as organisers' files have it: players, pairings, the tables of boards, and where the tables stand (docs/tournament-files.md). Pure."""
