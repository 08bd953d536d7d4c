"""What the settings say of the machine itself, where it is a card made by ``make image``: its name in the network, Wi-Fi, who may log in, its time zone."""
