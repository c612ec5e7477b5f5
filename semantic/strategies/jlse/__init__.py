"""Paper J: result pages by classifiers, links by joint link similarity evaluation."""
