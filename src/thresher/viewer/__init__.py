"""HTML reports and plots that show what a method kept or how an evaluation went."""
