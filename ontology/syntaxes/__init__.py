"""Reading a single ontology file: its text, its syntax, its statements."""
