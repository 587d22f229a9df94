"""Programs that measure Thresher and write the tables of its docs; not part of the wheel."""
