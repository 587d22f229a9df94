"""Evaluation: corpora, scores, runs of methods and peers, training."""
