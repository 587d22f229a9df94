"""Code that several methods use: option checks, headline bounds, linear chains."""
