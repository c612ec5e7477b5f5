"""Link orders for comparison: breadth-first, shark search, context graph, OPIC, PageRank."""
