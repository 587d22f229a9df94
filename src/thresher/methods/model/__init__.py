"""Trained models: their files and the evaluation of trees."""
