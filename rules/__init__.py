"""What clock, station and hall agree on: sides, durations, contacts and rulebooks. Pure but for reading the rulebooks' files."""
