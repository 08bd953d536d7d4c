"""The guided test of a clock, from the director's menu: each button, what eyes and ears confirm, and what the clock examines by itself (pure)."""
