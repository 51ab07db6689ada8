"""One crawl on several machines: Scrapyd nodes run the workers, the store is what they share."""
