"""Attacks on the package: each module tries many hostile inputs and returns what it found."""
