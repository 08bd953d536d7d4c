"""What clock and station record, as they and the hall read it: the journal of games and the log of challenges."""
