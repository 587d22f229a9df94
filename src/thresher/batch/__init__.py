"""Many pages in, many files out: inputs, output formats, and files that are never half-written."""
