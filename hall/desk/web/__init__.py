"""The pages: one module each with its routes, templates, and plain scripts."""
