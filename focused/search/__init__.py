"""Queries made from a topic, and the search engines that answer them."""
