"""The challenge slip: what stands on it, as styled lines that fit the paper. Pure; ``hardware.printer.spooler`` prints it."""
