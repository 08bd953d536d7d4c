"""The station's lexicon: opened, verified whole, watched, and never taken on trust. Nothing here judges; ``shell.judging`` does, with what ``shelf`` gives."""
