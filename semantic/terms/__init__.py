"""The words of a page: the lexicon's terms found and counted, its words at large, its language."""
