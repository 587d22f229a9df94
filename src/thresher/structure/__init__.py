"""What each block of a page is: block kinds, links, passages, threads of posts."""
