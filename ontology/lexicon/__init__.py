"""The words of the concepts: forms of labels, folding, inflection, what stands above a concept."""
