"""Which link first: one module a way of scoring links, none of which looks at the target."""
