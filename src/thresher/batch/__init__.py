"""Read many pages and write many files.

arguments --sources--> Input --> Page --extract--> Document --formats--> text --sinks--> files

`page_collections` reads pages with their addresses from one file or folder.
"""
