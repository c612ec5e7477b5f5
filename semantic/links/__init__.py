"""What a link says of its target, and what every link scorer offers."""
