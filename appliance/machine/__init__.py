"""The settings of the machine itself, for a card made by ``make image``: network name, Wi-Fi, SSH keys, time zone."""
