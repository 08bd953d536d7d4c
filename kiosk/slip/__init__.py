"""The challenge slip: its content as styled lines that fit the paper. Pure; ``hardware.printer.spooler`` prints it."""
