"""The hall's keys: its certificate authority, the certificates and credentials that it issues, and the folder that holds them."""
