"""Training: labels from gold text, folds by site, and one trainer per learned method."""
