"""Every setting of the project, each with one comment. Scrapy loads this module by name."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

# --- what to crawl --------------------------------------------------------------------------------
FOCUSED_TOPIC = ""  # a shipped topic's name, a folder under topics/, or the path of a topic.toml
FOCUSED_QUERY = ""  # words of a topic that has no such file; FOCUSED_TOPIC is then the name for it
FOCUSED_ORDERING = "best_first"  # a name of FOCUSED_ORDERINGS or an import path
FOCUSED_ORDERING_ARGS = ""  # "on=anchor,n=4": fields of the ordering
FOCUSED_WEB = ""  # empty: the real web; "sim:small,seed=1"; "warc:PATH"; "pages:FILE.jsonl.gz"
FOCUSED_SEARCH = ""  # who is asked for seeds: "searxng:URL", "brave", "google" …; empty: as [search] of the topic says
FOCUSED_DATA_DIR = "crawls"  # one folder a crawl
FOCUSED_CRAWL = ""  # name of that folder; empty: the topic's name
FOCUSED_STORE = ""  # empty: sqlite in that folder; "sqlite:///PATH"; "postgresql://USER@HOST/DATABASE": many workers
FOCUSED_LEASE = 60  # PostgreSQL: seconds after which the sites of a worker that is silent go to others

# --- when to stop (0: no limit); limits are exact ---------------------------------------------------
FOCUSED_MAX_PAGES = 0  # pages had, over all runs of the crawl
FOCUSED_MAX_RELEVANT = 0  # relevant pages had, over all runs of the crawl
FOCUSED_MAX_DEPTH = 0  # links from a seed
FOCUSED_MAX_SECONDS = 0  # of this run
FOCUSED_MAX_REVISITS = 0  # looks at pages had before, of this run
FOCUSED_SITE_BUDGET = "500"  # "none", pages a site may cost, "verdict" or "yield"

# --- how to go ---------------------------------------------------------------------------------------
FOCUSED_STRICT_ORDER = False  # one page at a time, in the exact order of the scores
FOCUSED_SEED = 0  # of everything random
FOCUSED_REVISE_EVERY = 500  # pages between two calls of ordering.revise
FOCUSED_MAINTAIN = 0  # share of the fetches that go to pages had before; 1: they are refreshed and nothing else
FOCUSED_MAX_TRIES = 3  # fetches of one URL before it is given up
FOCUSED_MAX_LINKS = 1000  # links kept of one page
FOCUSED_SYNC = "NORMAL"  # SQLite: NORMAL survives any death of the process, FULL also loss of power
FOCUSED_ALLOW_ADDRESSES: list[str] = []  # CIDR blocks that are not public but may be connected to
FOCUSED_RENDER = "never"  # "auto": in a browser where that brings links, "always": every page; both need a Chromium
FOCUSED_RENDER_BUDGET = 100  # renders one site may cost; 0: no limit
FOCUSED_RENDER_SECONDS = 10  # one page may take in the browser, probing included; then it is read as it was sent
FOCUSED_PROBE = False  # on a rendered page, also hover over and click on what may lead somewhere
FOCUSED_BROWSER = ""  # path of a Chromium; empty: the one that is on the PATH
FOCUSED_PROGRESS = True  # a live display on a terminal, elsewhere a line every 5 s
FOCUSED_NODES = "http://127.0.0.1:6800"  # Scrapyd nodes of `scrapy fleet`, separated by commas

# --- short names -------------------------------------------------------------------------------------
FOCUSED_ORDERINGS = {
    "adaptive": "focused.orderings.adaptive.Adaptive",
    "apprentice": "focused.orderings.apprentice.ApprenticeCrawler",
    "backlinks": "focused.orderings.backlinks.Backlinks",
    "best_first": "focused.orderings.best_first.BestFirst",
    "breadth_first": "focused.orderings.breadth_first.BreadthFirst",
    "fish": "focused.orderings.fish.Fish",
    "hard_focus": "focused.orderings.hard_focus.HardFocus",
    "hmm": "focused.orderings.hmm.Hmm",
    "outlinks": "focused.orderings.outlinks.Outlinks",
    "page_crawler": "focused.orderings.page_crawler.PageCrawler",
    "pagerank": "focused.orderings.pagerank.PageRank",
    "semantic": "focused.orderings.semantic.Semantic",
    "shark": "focused.orderings.shark.Shark",
    "soft_focus": "focused.orderings.soft_focus.SoftFocus",
    "tunnel": "focused.orderings.tunnel.Tunnel",
    "unfocused": "focused.orderings.unfocused.Unfocused",
    "url_depth": "focused.orderings.url_depth.UrlDepth",
    "website": "focused.orderings.website.WebsiteCrawler",
    "xcrawl": "focused.orderings.xcrawl.XCrawl",
}
FOCUSED_MODELS = {
    "centroids": "models.centroids.Centroids",
    "naive_bayes": "models.naive_bayes.NaiveBayes",
    "similarity": "models.similarity.Similarity",
    "svm": "models.svm.Svm",
    "table": "models.validators.TableModel",
    "taxonomy": "models.taxonomy.Taxonomy",
    "text": "models.validators.TextModel",
}

# --- Scrapy ------------------------------------------------------------------------------------------
BOT_NAME = "focused"
SPIDER_MODULES = ["spiders"]
NEWSPIDER_MODULE = "spiders"
COMMANDS_MODULE = "focused.commands"
TEMPLATES_DIR = str(Path(__file__).parent / "templates")
SCHEDULER = "focused.scheduler.FocusedScheduler"
LOG_LEVEL = "WARNING"
LOG_FORMATTER = "focused.log.Quiet"
USER_AGENT = "focused/0.1 (focused web crawler; set USER_AGENT to say who you are)"

# One request a site at a time, a second between two; nothing is sent that the crawl does not need.
CONCURRENT_REQUESTS = 16
CONCURRENT_REQUESTS_PER_DOMAIN = 1
DOWNLOAD_DELAY = 1
DOWNLOAD_DELAY_JITTER = 0
DOWNLOAD_TIMEOUT = 30
DOWNLOAD_MAXSIZE = 8 * 1024 * 1024
DOWNLOAD_WARNSIZE = 0
ROBOTSTXT_OBEY = True
COOKIES_ENABLED = False
REFERER_ENABLED = False
ASYNCIO_EVENT_LOOP = "uvloop.Loop"
TELNETCONSOLE_ENABLED = False
REMOTE_CONTROL_ENABLED = False

# A redirect is a discovered link, a retry a row of the store: Scrapy must not do either behind our back.
REDIRECT_ENABLED = False
METAREFRESH_ENABLED = False
RETRY_ENABLED = False
HTTPERROR_ALLOW_ALL = True
# 100, the default, starts a hundred tasks for each response; one is enough and keeps the order of a page's output.
CONCURRENT_ITEMS = 1


DOWNLOADER_MIDDLEWARES = {
    "middlewares.relevance.RelevanceMiddleware": 10,
    "middlewares.render.RenderMiddleware": 15,
    "middlewares.egress.EgressMiddleware": 20,
    "middlewares.robots.RobotsMiddleware": 30,
    "middlewares.inflate.InflateMiddleware": 590,
    "middlewares.lease.LeaseMiddleware": 990,
    # What they do is done by the frontier or by ours.
    "scrapy.downloadermiddlewares.offsite.OffsiteMiddleware": None,
    "scrapy.downloadermiddlewares.robotstxt.RobotsTxtMiddleware": None,
    "scrapy.downloadermiddlewares.httpauth.HttpAuthMiddleware": None,
    "scrapy.downloadermiddlewares.httpcompression.HttpCompressionMiddleware": None,
    "scrapy.downloadermiddlewares.redirect.MetaRefreshMiddleware": None,
    "scrapy.downloadermiddlewares.redirect.RedirectMiddleware": None,
    "scrapy.downloadermiddlewares.retry.RetryMiddleware": None,
    "scrapy.downloadermiddlewares.cookies.CookiesMiddleware": None,
    "scrapy.downloadermiddlewares.stats.DownloaderStats": None,
    # A proxy would resolve names itself, past the egress check.
    "scrapy.downloadermiddlewares.httpproxy.HttpProxyMiddleware": None,
}
SPIDER_MIDDLEWARES = {
    "middlewares.links.LinksMiddleware": 10,
    "scrapy.spidermiddlewares.start.StartSpiderMiddleware": None,
    "scrapy.spidermiddlewares.httperror.HttpErrorMiddleware": None,
    "scrapy.spidermiddlewares.referer.RefererMiddleware": None,
    "scrapy.spidermiddlewares.urllength.UrlLengthMiddleware": None,
    "scrapy.spidermiddlewares.depth.DepthMiddleware": None,
}
EXTENSIONS = {
    "focused.monitor.Monitor": 0,
    "scrapy.extensions.telnet.TelnetConsole": None,
    "scrapy.extensions.remote_control.RemoteControl": None,
    "scrapy.extensions.feedexport.FeedExporter": None,
    "scrapy.extensions.corestats.CoreStats": None,
    "scrapy.extensions.logstats.LogStats": None,
}
# http and https only: a link must not be able to read a file.
DOWNLOAD_HANDLERS = {
    "http": "middlewares.download.Download",
    "https": "middlewares.download.Download",
    "file": None,
    "ftp": None,
    "s3": None,
    "data": None,
}


def _guard_package_names() -> None:
    """`models`, `spiders` and `middlewares` are common names: say so when a stranger's package hides ours."""
    home = Path(__file__).parent.parent
    for name in ("models", "spiders", "middlewares"):
        spec = find_spec(name)
        origin = Path(spec.origin) if spec and spec.origin else None
        if origin is None or origin.parent.parent != home:
            raise ImportError(f"package '{name}' of this project is hidden by {origin}: remove or rename that one")


_guard_package_names()
