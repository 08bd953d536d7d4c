"""The listener's file: the rows of all devices, what contradicts them, and the signed heads with their roots."""
