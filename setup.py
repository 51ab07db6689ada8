"""The egg that Scrapyd runs: the four packages with their data, and no tests."""

from setuptools import find_packages, setup

setup(
    name="focused",
    version="0.1.0",
    description="A focused crawler for Scrapy: the pages, websites and hubs of a topic, with few downloads",
    packages=find_packages(include=["focused*", "middlewares*", "models*", "spiders*"]),
    package_data={
        "focused": [
            *("topics/*/*", "templates/*", "templates/*/*", "store/*.sql", "console/*/*"),
            *("webs/simulated/data/*", "evaluate/claims/*.toml"),
        ],
        "middlewares": ["*.js"],
        "models": ["data/*"],
    },
    extras_require={"render": ["playwright"]},
    zip_safe=True,
    entry_points={"scrapy": ["settings = focused.settings"]},
)
