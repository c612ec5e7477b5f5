"""Link orders to compare with: breadth-first, shark search, context graph, OPIC, PageRank."""
