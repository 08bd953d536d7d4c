"""The director's menu: every event by buttons alone, with a preview and a confirmation."""
