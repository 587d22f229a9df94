"""Trained models: their files, and the kinds of trees they hold."""
