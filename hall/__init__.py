"""The hall: a link beside each device, and what listens to all of them. The table's journal is the truth, the network is a convenience."""
