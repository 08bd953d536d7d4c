"""What a desk keeps beside the rows: its log, who holds it, who goes to which call, and wrong passwords."""
