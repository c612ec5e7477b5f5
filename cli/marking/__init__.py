"""`ontocrawl mark`, `review` and `rejudge`: the expert's marks."""
