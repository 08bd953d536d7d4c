"""What a program says when something is wrong: phrases for any language, the root of all errors, the guarded command line. Standard library and click only."""
