"""What several methods share: option checks, headline bounds, text blocks, linear chains."""
