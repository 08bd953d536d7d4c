"""Who may do what at the desk: roles, accounts, sessions, the director's key, and the limits that hold for everybody."""
