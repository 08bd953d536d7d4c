"""What the hall's rows prove: each chain by hash, its signatures, the roots; and a device's own file against what the hall holds of it."""
