"""``tilelexicon``: the commands."""
