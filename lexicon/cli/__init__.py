"""``tilelexicon``: the commands, one file a verb."""
