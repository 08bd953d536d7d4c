"""Behind the director's door: the judge desk for choosing lexicon, rulebook and name, for reading the log, and for manual verdicts. Pure, like ``challenge``."""
