"""The director's desk: the hall on pages. It listens, folds each table's rows with the clock's own core, and streams what changes."""
