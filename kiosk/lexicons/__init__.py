"""The station's lexicon: opened, completely verified, and watched for changes. Nothing here judges; ``shell.judging`` does, with a lexicon from ``OpenLexicons`` there."""
