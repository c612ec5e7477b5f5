"""The commands that read a store, copy it or serve it."""
