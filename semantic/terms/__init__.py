"""The words of a page: the lexicon's terms found and counted, all words as a bag, the language."""
