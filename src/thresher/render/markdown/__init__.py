"""Markdown: `writer` writes blocks, `lines` the text within them, `tables` tables."""
