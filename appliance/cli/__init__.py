"""What the command lines of our programs share."""
