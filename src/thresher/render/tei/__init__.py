"""TEI: `header` writes what is known about a text, `writer` the text; `tei.rng` is the schema."""
