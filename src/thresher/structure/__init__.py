"""What each block of a page is: block kinds, data tables, links, threads of posts."""
