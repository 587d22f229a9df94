"""HTML pages and plots that show what methods keep of a page and how an evaluation went."""
