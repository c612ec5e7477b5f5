"""The lexicon: surface forms of labels, folding, inflection, the features above a concept."""
