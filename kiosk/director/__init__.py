"""Behind the director's door: the desk where lexicon, rulebook and name are chosen, the log is read, and a word judge gives verdicts by hand. Pure, as ``challenge`` is."""
