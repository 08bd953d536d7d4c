"""Sheets to print: a player's card (A6), a director's sheet and a station's sign (A4), each one page, in every language of clock and station.

They say what the programs say: their texts and a rulebook's values, with the few words of each language's ``sheets.toml`` between them.
"""
