"""What survives a program's crash: a record in memory, and a sentinel that notes when the program ended. Against power cuts there is the disk."""
