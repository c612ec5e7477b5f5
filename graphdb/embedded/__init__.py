"""The embedded engine: a graph in a folder, served by a child process."""
