"""What a program says when something is wrong: phrases for any language, the root of all errors, faults of what a person writes, the guarded command line."""
