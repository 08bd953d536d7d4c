"""The self-tests that every ``doctor`` runs, and the table of findings."""
