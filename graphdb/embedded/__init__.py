"""The embedded store: a folder, served by a child process."""
