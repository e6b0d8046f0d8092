"""Command line: one verb a file, a thin skin over the package's public functions."""
