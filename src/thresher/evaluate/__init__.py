"""Measuring: scores, corpora, runs and pictures."""
