"""The hall's picture: what is known of each device now, and how well. Made by the listener, read by ``watch``, ``status`` and the metrics."""
