"""The director's menu: every event, by buttons alone, with before and after shown and asked once more."""
