"""The settings of ``tilehall``: where the broker is, and the folders of a link."""
