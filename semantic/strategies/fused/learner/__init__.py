"""From evidence to a score: the learner of the default strategy, and how far it is trusted."""
