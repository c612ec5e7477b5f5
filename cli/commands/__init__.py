"""The commands as they are typed: their options and help. What they do is imported when they run."""
