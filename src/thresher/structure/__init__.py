"""What each block of a page is: block kinds, links, threads of posts."""
