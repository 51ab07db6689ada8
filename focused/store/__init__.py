"""The crawl database: the truth. The only place that speaks SQL."""
