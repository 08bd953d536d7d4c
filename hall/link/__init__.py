"""The link: relays between a device's local socket and the broker. It keeps nothing; rows wait in the device's journal until they are asked for."""
