"""A director's lock: a hashed PIN, and the wait after wrong tries."""
