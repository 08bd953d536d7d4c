"""A game and its records, which clock, station and hall share: events, state, history, rows. Pure, but for the readers of the records' files."""
