"""Paper J: results by classifiers, links by joint link similarity evaluation."""
