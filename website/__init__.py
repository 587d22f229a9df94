"""What `make site` adds to MkDocs: pages generated from the code, links, the diagram."""
