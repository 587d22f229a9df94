"""Read many pages and write many files.

arguments --sources--> Input --> Page --extract--> Document --formats--> text --sinks--> files
"""
