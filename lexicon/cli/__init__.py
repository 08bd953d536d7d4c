"""``tilelexicon``: the commands, one file per verb."""
