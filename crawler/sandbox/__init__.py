"""Pages read in a process of their own, with limits on time, memory and size."""
